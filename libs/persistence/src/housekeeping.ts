import { WakeableLoop } from '@aos/background';
import type { Logger } from '@aos/platform';
import type { IdempotencyRepository } from './idempotency/idempotency.repository.js';
import type { EventPositions } from './inbox/event-positions.js';
import type { OutboxLog } from './outbox/outbox-log.js';

export interface HousekeepingOptions {
  readonly records: IdempotencyRepository;
  readonly log: OutboxLog;
  readonly positions: EventPositions;
  readonly outboxRetentionHours: number;
  readonly deadEventRetentionDays: number;
  readonly logger: Logger;
}

const everyMs = 5 * 60_000;

/** Removes what is no longer needed, in small batches. */
export class Housekeeping {
  private readonly loop: WakeableLoop;

  constructor(private readonly options: HousekeepingOptions) {
    this.loop = new WakeableLoop({
      name: 'housekeeping',
      idleMs: everyMs,
      logger: options.logger,
      work: async () => {
        const records = await options.records.prune();
        const events = await options.log.prune(options.outboxRetentionHours);
        const handled = await options.positions.pruneHandled(options.outboxRetentionHours);
        return records + events + handled + (await this.giveUpDead()) > 0;
      },
    });
  }

  start(): void {
    this.loop.start();
  }

  async stop(): Promise<void> {
    await this.loop.stop();
  }

  private async giveUpDead(): Promise<number> {
    const { positions, deadEventRetentionDays: days, logger } = this.options;
    const gone = await positions.pruneDead(days);
    for (const { id, event } of gone) {
      logger.error({ event, event_id: id, days }, 'an event that could not be handled was given up');
    }
    return gone.length;
  }
}
