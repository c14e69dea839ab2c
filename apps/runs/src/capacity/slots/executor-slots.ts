import { EventEmitter } from 'node:events';
import { getHeapStatistics } from 'node:v8';
import { FairLimiter } from '@aos/background';
import { type Counter, Metrics } from '@aos/platform';
import { Inject, Injectable } from '@nestjs/common';
import type { ClaimedRun } from '../../run-core/claims/run-claims.js';
import type { RunSlot, RunSlots } from '../../run-core/claims/run-slots.js';
import { carriesRunsOn, type RunsConfig, RunsSettings } from '../../runs.config.js';

/** Above this share of the heap no further run starts, so that those in progress can end. */
const fullShare = 0.75;
const lookEveryMs = 100;

/** Checks whether this process has memory for more work. */
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

/** Work for the executor, which releases the slot afterwards. */
export interface SlotWork {
  readonly runId: string;
  /** The run, if it is claimed already. */
  readonly run?: ClaimedRun;
  readonly release: () => void;
}

interface SlotEvents {
  /** A slot has a run to execute. */
  work: [SlotWork];
  /** A slot was released. */
  freed: [];
}

/**
 * The slots of this process for runs, shared fairly among teams. The features that store runs reserve them, the executor
 * works in them: neither knows the other.
 */
@Injectable()
export class ExecutorSlots extends EventEmitter<SlotEvents> implements RunSlots {
  private readonly slots: FairLimiter;
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
      help: 'Runs that were refused a slot of this process: all are taken, the team has its share, or memory is short',
      labelNames: ['reason'],
    });
    this.slots = new FairLimiter({ maxConcurrent: carriesRunsOn(settings) ? settings.RUN_CONCURRENCY : 0 });
  }

  /** True if there is a free slot for a run of some team. */
  hasRoom(): boolean {
    return this.slots.free > 0 && !this.heap.isShort();
  }

  counts(): { size: number; free: number } {
    return { size: this.slots.maxConcurrent, free: this.slots.free };
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

  /** Acquires a slot for the team, or returns the reason why the team gets none. */
  private refusalOf(teamId: string): 'memory' | 'full' | 'fairness' | undefined {
    if (this.heap.isShort()) return 'memory';
    if (this.slots.tryAcquire(teamId)) return undefined;
    return this.slots.free > 0 ? 'fairness' : 'full';
  }

  /** Reserves no more slots: the process ends. */
  close(): void {
    this.closed = true;
  }
}
