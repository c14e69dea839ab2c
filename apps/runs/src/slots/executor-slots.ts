import { EventEmitter } from 'node:events';
import { Inject, Injectable } from '@nestjs/common';
import type { ClaimedRun } from '../run-core/run-claims.js';
import type { RunSlot, RunSlots } from '../run-core/run-slots.js';
import { carriesRunsOn, RunsSettings, type RunsConfig } from '../runs.config.js';
import { FairSlots } from './fair-slots.js';
import { HeapRoom } from './heap-room.js';

/** Work for the executor, and the slot that it has to give back. */
export interface SlotWork {
  readonly runId: string;
  /** The run, where it is claimed already. */
  readonly run?: ClaimedRun;
  readonly release: () => void;
}

interface SlotEvents {
  /** A run is to be worked on in a slot. */
  work: [SlotWork];
  /** A slot was given back. */
  freed: [];
}

/**
 * The slots of this process for runs, shared fairly among teams. The features that store runs reserve them, the executor
 * works in them: neither knows the other.
 */
@Injectable()
export class ExecutorSlots extends EventEmitter<SlotEvents> implements RunSlots {
  private readonly slots: FairSlots;
  private closed = false;

  constructor(
    private readonly heap: HeapRoom,
    @Inject(RunsSettings) settings: RunsConfig,
  ) {
    super();
    this.slots = new FairSlots(carriesRunsOn(settings) ? settings.RUN_CONCURRENCY : 0);
  }

  /** Whether there is room for one more run, of some team. */
  hasRoom(): boolean {
    return this.slots.free > 0 && !this.heap.isShort();
  }

  reserve(teamId: string): RunSlot | undefined {
    if (this.closed || this.heap.isShort() || !this.slots.tryTake(teamId)) return undefined;
    const release = () => {
      this.slots.release(teamId);
      this.emit('freed');
    };
    return {
      begin: (run) => this.emit('work', { runId: run.id, run, release }),
      claim: (runId) => this.emit('work', { runId, release }),
      release,
    };
  }

  /** The process ends: no more are reserved. */
  close(): void {
    this.closed = true;
  }
}
