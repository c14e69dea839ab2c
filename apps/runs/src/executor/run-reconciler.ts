import type { RunError } from '@aos/contracts';
import { type Counter, Logger, Metrics } from '@aos/platform';
import { Inject, Injectable } from '@nestjs/common';
import { RunChanges } from '../run-core/changes/run-changes.js';
import { maxTakeovers, takeoverDelayMs } from '../run-core/claims/lease.js';
import { type AbandonedRun, RunLeasesRepository } from '../run-core/claims/run-leases.repository.js';
import { RunEvents } from '../run-core/records/run-events.js';
import { changeBy } from '../run-core/run-state.js';
import { type RunsConfig, RunsSettings } from '../runs.config.js';
import { IsolatedRuns } from './isolated-runs.js';
import { RunExecutor } from './run-executor.js';

const batchSize = 500;

const workerLost: RunError = {
  code: 'worker_lost',
  message: `The run lost its worker ${maxTakeovers} times without getting a step further, and was given up.`,
};

/** Runs whose worker died or was cut off: their lease has run out, and another worker may go on. */
@Injectable()
export class AbandonedRuns {
  private readonly recovered: Counter<'outcome'>;

  constructor(
    private readonly leases: RunLeasesRepository,
    private readonly changes: RunChanges,
    private readonly events: RunEvents,
    @Inject(RunsSettings) private readonly settings: RunsConfig,
    private readonly logger: Logger,
    metrics: Metrics,
  ) {
    this.recovered = metrics.counter({
      name: 'aos_runs_recovered_total',
      help: 'Runs whose worker was lost: given out again, or given up after too many',
      labelNames: ['outcome'],
    });
  }

  /**
   * Takes expired leases away and counts them, gives up what has lost too many workers; true if there may be more.
   * However long the queue is, these have an index of their own.
   */
  async release(): Promise<boolean> {
    const delaysMs = Array.from({ length: maxTakeovers + 1 }, (_, takeovers) => takeoverDelayMs(takeovers));
    const released = await this.leases.releaseAbandoned(batchSize, this.settings.RUN_LEASE_MS, delaysMs);
    if (released.length > 0) {
      this.logger.warn({ runs: released.length }, 'requeued runs whose worker was lost');
    }
    const hopeless = released.filter(({ takeovers }) => takeovers >= maxTakeovers);
    this.recovered.inc({ outcome: 'again' }, released.length - hopeless.length);
    this.recovered.inc({ outcome: 'given_up' }, hopeless.length);
    for (const run of hopeless) await this.giveUp(run);
    return released.length === batchSize;
  }

  private async giveUp(run: AbandonedRun): Promise<void> {
    this.logger.error({ run_id: run.id, team_id: run.team_id }, 'run failed: it lost every worker');
    await this.changes.commit({
      runId: run.id,
      ...changeBy('fail'),
      error: workerLost,
      closesStep: 'failed',
      messages: [],
      events: this.events.ofFailure(run, workerLost),
    });
  }
}

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
