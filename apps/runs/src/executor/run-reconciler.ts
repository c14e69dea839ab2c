import { Injectable } from '@nestjs/common';
import { AbandonedRuns } from './abandoned-runs.js';
import { RunExecutor } from './run-executor.js';
import { IsolatedRuns } from './isolated-runs.js';
import { RunLeasesRepository } from '../run-core/claims/run-leases.repository.js';

/** A run that was queued a moment ago is on its way. */
const graceMs = 1_000;

/**
 * Sees to it that every run with work to do gets a worker, whatever Redis or a dead process has lost. Postgres knows
 * which runs wait, and this process takes them as it has room: nothing has to be put back into Redis.
 */
@Injectable()
export class RunReconciler {
  constructor(
    private readonly leases: RunLeasesRepository,
    private readonly abandoned: AbandonedRuns,
    private readonly isolated: IsolatedRuns,
    private readonly executor: RunExecutor,
  ) {}

  /** True if the next look should follow at once. */
  async sweep(): Promise<boolean> {
    const more = await this.abandoned.release();
    this.executor.wake(await this.leases.waitingTeams(graceMs));
    await this.isolated.tryOne();
    return more;
  }
}
