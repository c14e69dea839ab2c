import { EventEmitter } from 'node:events';
import { getHeapStatistics } from 'node:v8';
import { type Counter, Metrics } from '@aos/platform';
import { Inject, Injectable } from '@nestjs/common';
import type { ClaimedRun } from '../../run-core/claims/run-claims.js';
import type { RunSlot, RunSlots } from '../../run-core/claims/run-slots.js';
import { carriesRunsOn, type RunsConfig, RunsSettings } from '../../runs.config.js';
import { FairSlots } from './fair-slots.js';

/** Above this part of the heap no further run is taken: those in hand must be able to end. */
const fullShare = 0.75;
const lookEveryMs = 100;

/** Tells whether this process has memory for more work. */
@Injectable()
export class HeapGuard {
  private lookedAt = -Infinity;
  private short = false;

  isShort(): boolean {
    const now = performance.now();
    if (now - this.lookedAt >= lookEveryMs) {
      const { used_heap_size: used, heap_size_limit: limit } = getHeapStatistics();
      this.short = used > fullShare * limit;
      this.lookedAt = now;
    }
    return this.short;
  }
}

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
  private readonly refused: Counter<'reason'>;
  private closed = false;

  constructor(
    private readonly heap: HeapGuard,
    @Inject(RunsSettings) settings: RunsConfig,
    metrics: Metrics,
  ) {
    super();
    this.refused = metrics.counter({
      name: 'aos_run_slots_refused_total',
      help: 'Times that a run got no place in this process at once: all are taken, its team has its share, or memory is short',
      labelNames: ['reason'],
    });
    this.slots = new FairSlots(carriesRunsOn(settings) ? settings.RUN_CONCURRENCY : 0);
  }

  /** Whether there is room for one more run, of some team. */
  hasRoom(): boolean {
    return this.slots.free > 0 && !this.heap.isShort();
  }

  /** How many places there are, and how many of them are free. */
  counts(): { size: number; free: number } {
    return { size: this.slots.size, free: this.slots.free };
  }

  reserve(teamId: string): RunSlot | undefined {
    if (this.closed) return undefined;
    const refusal = this.refusalOf(teamId);
    if (refusal) {
      this.refused.inc({ reason: refusal });
      return undefined;
    }
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

  /** Why the team gets no place now; where there is no reason it has got one. */
  private refusalOf(teamId: string): 'memory' | 'full' | 'fairness' | undefined {
    if (this.heap.isShort()) return 'memory';
    if (this.slots.tryTake(teamId)) return undefined;
    return this.slots.free > 0 ? 'fairness' : 'full';
  }

  /** The process ends: no more are reserved. */
  close(): void {
    this.closed = true;
  }
}
