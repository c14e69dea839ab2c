import type { RunError } from '@aos/contracts';
import { Transactions } from '@aos/persistence';
import { Logger } from '@aos/platform';
import { Inject, Injectable } from '@nestjs/common';
import { RunsSettings, type RunsConfig } from '../runs.config.js';
import type { endColumns } from '../run-core/run-columns.js';
import { RunChanges } from '../run-core/run-changes.js';
import { startsOf } from '../run-core/run-state.js';
import type { RunEntity } from '../run-core/run.entity.js';
import { RunEvents } from '../run-core/run-events.js';
import { releaseAbandoned } from '../run-core/abandoned-runs.sql.js';
import { takeoverDelayMs, mostTakeovers } from '../run-core/takeovers.js';

type AbandonedRun = Pick<RunEntity, (typeof endColumns)[number] | 'takeovers'>;

const batchSize = 500;

const workerLost: RunError = {
  code: 'worker_lost',
  message: `The run lost its worker ${mostTakeovers} times without getting a step further, and was given up.`,
};

/** Runs whose worker died or was cut off: their lease has run out, and another worker may go on. */
@Injectable()
export class AbandonedRuns {
  constructor(
    @Inject(Transactions) private readonly transactions: Transactions,
    @Inject(RunChanges) private readonly changes: RunChanges,
    @Inject(RunEvents) private readonly events: RunEvents,
    @Inject(RunsSettings) private readonly settings: RunsConfig,
    @Inject(Logger) private readonly logger: Logger,
  ) {}

  /**
   * Takes expired leases away and counts them, gives up what has lost too many workers; true if there may be more.
   * However long the queue is, these have an index of their own.
   */
  async release(): Promise<boolean> {
    const released = await this.transactions.query<AbandonedRun>(releaseAbandoned, [
      batchSize,
      this.settings.RUN_LEASE_MS,
      Array.from({ length: mostTakeovers + 1 }, (_, takeovers) => takeoverDelayMs(takeovers)),
    ]);
    if (released.length > 0) {
      this.logger.warn({ runs: released.length }, 'runs whose worker was lost are given out again');
    }
    for (const run of released.filter(({ takeovers }) => takeovers >= mostTakeovers)) await this.giveUp(run);
    return released.length === batchSize;
  }

  private async giveUp(run: AbandonedRun): Promise<void> {
    this.logger.error({ run_id: run.id, team_id: run.team_id }, 'a run was given up: it loses every worker');
    await this.changes.commit({
      runId: run.id,
      from: startsOf('fail'),
      status: 'failed',
      error: workerLost,
      closesStep: 'failed',
      messages: [],
      events: this.events.ofFailure(run, workerLost),
    });
  }
}
