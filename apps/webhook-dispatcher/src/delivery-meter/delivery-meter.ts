import { BackgroundLoops } from '@aos/background';
import { deliveriesCounted } from '@aos/contracts';
import { newEvent, Outbox } from '@aos/events';
import { DueRows, Transactions } from '@aos/persistence';
import { Inject, Injectable } from '@nestjs/common';
import { WebhookSettings, type WebhookDispatcherConfig } from '../config/webhook-dispatcher.config.js';
import { anyUnreported, takeUnreported } from './delivery-meter.sql.js';

const teamsAtOnce = 500;

/**
 * Tells billing how many deliveries have succeeded, many with one event: an event for each would double the work of a
 * delivery. Deliveries are marked in the transaction that records the event, so that each is counted once.
 */
@Injectable()
export class DeliveryMeter {
  constructor(
    private readonly transactions: Transactions,
    private readonly outbox: Outbox,
    loops: BackgroundLoops,
    dueRows: DueRows,
    @Inject(WebhookSettings) settings: Pick<WebhookDispatcherConfig, 'USAGE_REPORT_EVERY_MS'>,
  ) {
    loops.add({
      name: 'the report of deliveries',
      idleMs: settings.USAGE_REPORT_EVERY_MS,
      mayHaveWork: () => dueRows.any(anyUnreported),
      work: () => this.report(),
    });
  }

  /** True if there may be more. */
  async report(): Promise<boolean> {
    return this.transactions.run(async () => {
      const counted = await this.transactions.query<{ team_id: string; deliveries: number }>(takeUnreported, [
        teamsAtOnce,
      ]);
      if (counted.length === 0) return false;
      await this.outbox.record(
        ...counted.map(({ team_id: teamId, deliveries }) =>
          newEvent({ event: deliveriesCounted, teamId, data: { deliveries } }),
        ),
      );
      return counted.length === teamsAtOnce;
    });
  }
}
