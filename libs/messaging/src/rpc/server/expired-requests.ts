import type { Logger, Metrics } from '@aos/platform';

const reportEveryMs = 1_000;

/** Counts requests that were dropped because their callers no longer wait, and logs them together: there may be many. */
export class ExpiredRequests {
  private readonly counter;
  private unreported = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly logger: Logger,
    metrics: Metrics | undefined,
  ) {
    this.counter = metrics?.counter({
      name: 'aos_rpc_expired_total',
      help: 'Requests of other services that were dropped since their callers no longer waited',
      labelNames: ['operation'],
    });
  }

  add(operation: string, ageMs: number): void {
    this.counter?.inc({ operation });
    this.unreported += 1;
    this.timer ??= setTimeout(() => this.report(operation, ageMs), reportEveryMs).unref();
  }

  private report(operation: string, ageMs: number): void {
    this.logger.warn(
      { requests: this.unreported, operation, age_ms: Math.round(ageMs) },
      'dropped requests whose callers no longer wait; the operation and age are those of the first',
    );
    this.unreported = 0;
    this.timer = undefined;
  }
}
