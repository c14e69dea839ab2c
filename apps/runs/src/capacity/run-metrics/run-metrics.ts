import { hasEnded } from '@aos/contracts';
import { isStoreUnavailable, Transactions } from '@aos/persistence';
import { Logger, Metrics } from '@aos/platform';
import { Injectable } from '@nestjs/common';
import { CommittedChanges } from '../../run-core/changes/run-changes.js';
import { ExecutorSlots } from '../slots/executor-slots.js';
import { countOpenRuns, maxWait } from './run-metrics.sql.js';

/** However often metrics are asked for. */
const countEveryMs = 10_000;
/** To know that there are more helps nobody. */
const countedAtMost = 100_000;

/** Exports counts of runs over all teams. Without the database the last numbers stay. */
@Injectable()
export class RunMetrics {
  constructor(
    metrics: Metrics,
    transactions: Transactions,
    changes: CommittedChanges,
    slots: ExecutorSlots,
    logger: Logger,
  ) {
    const none = (error: unknown): [] => {
      if (!isStoreUnavailable(error)) logger.error({ err: error }, 'counting runs failed');
      return [];
    };
    metrics.gauge({
      name: 'aos_runs',
      help: `Open runs by status, counted up to ${countedAtMost}; the same from each replica`,
      labelNames: ['status'],
      maxAgeMs: countEveryMs,
      collect: async (gauge) => {
        const rows = await transactions
          .query<{ status: string; runs: string }>(countOpenRuns, [countedAtMost])
          .catch(none);
        for (const { status, runs } of rows) gauge.set({ status }, Number(runs));
      },
    });
    metrics.gauge({
      name: 'aos_run_oldest_waiting_seconds',
      help: 'How long the run waits that has waited longest for a worker; the same from each replica',
      maxAgeMs: countEveryMs,
      collect: async (gauge) => {
        const [row] = await transactions.query<{ seconds: number }>(maxWait).catch(none);
        if (row) gauge.set(row.seconds);
      },
    });
    metrics.gauge({
      name: 'aos_run_slots',
      help: 'Slots for runs of this process',
      labelNames: ['state'],
      collect: (gauge) => {
        const { size, free } = slots.counts();
        gauge.set({ state: 'used' }, size - free);
        gauge.set({ state: 'free' }, free);
      },
    });
    const ended = metrics.counter({
      name: 'aos_runs_ended_total',
      help: 'Runs that this process has ended, by status',
      labelNames: ['status'],
    });
    changes.on('changed', (runs) => {
      for (const { status } of runs) if (hasEnded(status)) ended.inc({ status });
    });
  }
}
