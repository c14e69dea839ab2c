import { makeArtifact } from '@aos/contracts';
import { JobQueues } from '@aos/messaging';
import { newId, Transactions } from '@aos/persistence';
import { Logger } from '@aos/platform';
import { Injectable } from '@nestjs/common';
import { ArtifactLeases, type UnclaimedArtifact } from './artifact-leases.js';

const batchSize = 100;
const smallestId = '00000000-0000-0000-0000-000000000000';

/** States of a job that will yet be run; an active one may be in the hand of a dead worker. */
const toCome = new Set(['waiting', 'delayed', 'prioritized']);

/** Sees to it that there are jobs in Redis while there are pages to be made. */
@Injectable()
export class ArtifactDispatch {
  constructor(
    private readonly leases: ArtifactLeases,
    private readonly queues: JobQueues,
    private readonly transactions: Transactions,
    private readonly logger: Logger,
  ) {}

  /** Once the transaction has committed. What gets lost on the way is found by `reconcile`. */
  addAfterCommit(...artifacts: readonly UnclaimedArtifact[]): void {
    if (artifacts.length === 0) return;
    this.transactions.afterCommit(() => {
      this.add(artifacts).catch((error: unknown) => {
        this.logger.warn({ err: error }, 'enqueueing artifacts failed; the reconciler will retry');
      });
    });
  }

  /** Gives a new job to artifacts that no worker has and whose job is gone; one that fails keeps none from theirs. */
  async reconcile(): Promise<void> {
    const faults: unknown[] = [];
    let batch: UnclaimedArtifact[];
    let last = smallestId;
    do {
      batch = await this.leases.unclaimed(last, batchSize);
      const outcomes = await Promise.allSettled(batch.map((artifact) => this.ensureJob(artifact)));
      for (const outcome of outcomes) if (outcome.status === 'rejected') faults.push(outcome.reason);
      last = batch.at(-1)?.id ?? last;
    } while (batch.length === batchSize);
    if (faults.length > 0)
      throw new AggregateError(faults, `${faults.length} artifacts could not be enqueued`);
  }

  private async ensureJob(artifact: UnclaimedArtifact): Promise<void> {
    const state = await this.queues.queue(makeArtifact).getJobState(artifact.job_id);
    if (toCome.has(state)) return;
    // Redis would silently drop a job with an id that it still keeps.
    const jobId = newId();
    if (await this.leases.replaceJob(artifact, jobId)) await this.add([{ id: artifact.id, job_id: jobId }]);
  }

  private async add(artifacts: readonly UnclaimedArtifact[]): Promise<void> {
    await this.queues.add(
      makeArtifact,
      ...artifacts.map(({ id, job_id: jobId }) => ({ payload: { artifact_id: id }, jobId })),
    );
  }
}
