import { BackgroundLoops, type WakeableLoop } from '@aos/background';
import { hasEnded } from '@aos/contracts';
import { DueRows } from '@aos/persistence';
import { Logger } from '@aos/platform';
import { Injectable } from '@nestjs/common';
import type { ChangedRun } from '../../run-core/changes/run-change.js';
import { CommittedChanges } from '../../run-core/changes/run-changes.js';
import { ReadyQueues } from '../queues/queues.repository.js';
import { CaseDispatch } from './case-dispatch.js';
import { anyTrigger } from './case-dispatch.sql.js';

/** After this time at the latest what was lost is found: a wake-up, a process, the moment at which a case comes back. */
const lookEveryMs = 1_000;
const atTheSameTime = 4;

/**
 * Decides which queue is served next: those that were woken, in turn, and once in a while those that no wake-up has reached.
 * Any process may do so; who serves a queue holds its lock.
 */
@Injectable()
export class CaseDispatcher {
  /** In the order in which they were woken: one that has more to do goes to the end. */
  private readonly woken = new Set<string>();
  private readonly loop: WakeableLoop;
  private lookedAt = -Infinity;

  constructor(
    private readonly dispatch: CaseDispatch,
    ready: ReadyQueues,
    committed: CommittedChanges,
    loops: BackgroundLoops,
    dueRows: DueRows,
    private readonly logger: Logger,
  ) {
    this.loop = loops.add({
      name: 'the dispatch of cases',
      idleMs: lookEveryMs,
      isTimed: true,
      mayHaveWork: () => dueRows.any(anyTrigger),
      mayBeLeft: true,
      work: () => this.serveSome(),
    });
    ready.on('ready', (queueId) => this.wake(queueId));
    committed.on('changed', (runs) => this.follow(runs));
  }

  /** A run that ends, or waits for a person, leaves its slot to another. */
  private follow(runs: readonly ChangedRun[]): void {
    for (const { case_queue_id: queueId, status } of runs) {
      if (queueId !== null && (hasEnded(status) || status === 'waiting')) this.wake(queueId);
    }
  }

  private wake(queueId: string): void {
    this.woken.add(queueId);
    this.loop.wake();
  }

  private async serveSome(): Promise<boolean> {
    if (performance.now() - this.lookedAt >= lookEveryMs) {
      this.lookedAt = performance.now();
      await this.dispatch.sweep();
      for (const queueId of await this.dispatch.forgotten()) this.woken.add(queueId);
    }
    const turn = [...this.woken].slice(0, atTheSameTime);
    for (const queueId of turn) this.woken.delete(queueId);
    await Promise.all(turn.map((queueId) => this.serve(queueId)));
    return this.woken.size > 0;
  }

  private async serve(queueId: string): Promise<void> {
    try {
      if (await this.dispatch.serve(queueId)) this.woken.add(queueId);
    } catch (error) {
      // It is found again: the agents service is away, for instance.
      this.logger.warn({ err: error, queue_id: queueId }, 'dispatching the cases of a queue failed');
    }
  }
}
