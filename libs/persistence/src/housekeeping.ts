import type { Logger } from '@aos/platform';
import type { IdempotencyRepository } from './idempotency/idempotency.repository.js';
import type { OutboxLog } from './outbox/outbox-log.js';
import { WakeableLoop } from './wakeable-loop.js';

export interface HousekeepingOptions {
  readonly records: IdempotencyRepository;
  readonly log: OutboxLog;
  readonly outboxRetentionHours: number;
  readonly logger: Logger;
}

const everyMs = 5 * 60_000;

/** Removes what is no longer needed, in small batches. */
export class Housekeeping {
  private readonly loop: WakeableLoop;

  constructor(options: HousekeepingOptions) {
    this.loop = new WakeableLoop({
      name: 'housekeeping',
      idleMs: everyMs,
      logger: options.logger,
      work: async () => {
        const gone = await options.records.prune();
        return gone + (await options.log.prune(options.outboxRetentionHours)) > 0;
      },
    });
  }

  start(): void {
    this.loop.start();
  }

  async stop(): Promise<void> {
    await this.loop.stop();
  }
}
