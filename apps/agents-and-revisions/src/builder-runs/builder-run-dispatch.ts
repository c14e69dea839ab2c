import { executeBuilderRun } from '@aos/contracts';
import { JobQueues } from '@aos/messaging';
import { newId, Transactions } from '@aos/persistence';
import { Logger } from '@aos/platform';
import { Injectable } from '@nestjs/common';
import { BuilderRunLeases, type UnclaimedRun } from './builder-run-leases.js';

const batchSize = 100;
const smallestId = '00000000-0000-0000-0000-000000000000';

/** States of a job that will yet be run; an active one may be in the hand of a dead worker. */
const toCome = new Set(['waiting', 'delayed', 'prioritized']);

/** Sees to it that every builder run with work to do has a job in Redis. */
@Injectable()
export class BuilderRunDispatch {
  constructor(
    private readonly leases: BuilderRunLeases,
    private readonly queues: JobQueues,
    private readonly transactions: Transactions,
    private readonly logger: Logger,
  ) {}

  /** Once the transaction has committed. What gets lost on the way is found by `reconcile`. */
  addAfterCommit(run: UnclaimedRun): void {
    this.transactions.afterCommit(() => {
      this.add(run.id, run.job_id).catch((error: unknown) => {
        this.logger.warn(
          { err: error, builder_run_id: run.id },
          'enqueueing a builder run failed; the reconciler will retry',
        );
      });
    });
  }

  /** Gives a new job to every run that no worker has and whose job is gone; one that fails keeps none from theirs. */
  async reconcile(): Promise<void> {
    const faults: unknown[] = [];
    let batch: UnclaimedRun[];
    let last = smallestId;
    do {
      batch = await this.leases.unclaimed(last, batchSize);
      const outcomes = await Promise.allSettled(batch.map((run) => this.ensureJob(run)));
      for (const outcome of outcomes) if (outcome.status === 'rejected') faults.push(outcome.reason);
      last = batch.at(-1)?.id ?? last;
    } while (batch.length === batchSize);
    if (faults.length > 0)
      throw new AggregateError(faults, `${faults.length} builder runs could not be enqueued`);
  }

  private async ensureJob(run: UnclaimedRun): Promise<void> {
    const state = await this.queues.queue(executeBuilderRun).getJobState(run.job_id);
    if (toCome.has(state)) return;
    // Redis would silently drop a job with an id that it still keeps.
    const jobId = newId();
    if (await this.leases.replaceJob(run, jobId)) await this.add(run.id, jobId);
  }

  private async add(builderRunId: string, jobId: string): Promise<void> {
    await this.queues.add(executeBuilderRun, { payload: { builder_run_id: builderRunId }, jobId });
  }
}
