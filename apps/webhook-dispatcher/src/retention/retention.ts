import { BackgroundLoops } from '@aos/background';
import { Transactions } from '@aos/persistence';
import { Inject, Injectable } from '@nestjs/common';
import { pruneDeletedRuns } from '../deleted-runs/deleted-runs.sql.js';
import { pruneDeliveries } from '../deliveries/prune-deliveries.sql.js';
import { pruneQueues } from '../endpoint-queues/prune-queues.sql.js';
import { pruneEvents } from '../feed/prune-feed.sql.js';
import { forgetFormerSecrets } from '../secrets/forget-former-secrets.sql.js';
import { WebhookSettings, type WebhookDispatcherConfig } from '../config/webhook-dispatcher.config.js';

const everyMs = 10 * 60_000;
const batchSize = 1_000;

/** Removes what is older than it is to be kept, in small batches. */
@Injectable()
export class Retention {
  constructor(
    private readonly transactions: Transactions,
    loops: BackgroundLoops,
    @Inject(WebhookSettings) private readonly settings: WebhookDispatcherConfig,
  ) {
    loops.add({
      name: 'the removal of old events',
      idleMs: everyMs,
      work: () => this.prune(),
    });
  }

  /** True if there may be more. */
  async prune(): Promise<boolean> {
    let most = 0;
    for (const sql of [pruneDeliveries, pruneEvents, pruneDeletedRuns, pruneQueues, forgetFormerSecrets]) {
      const [row] = await this.transactions.query<{ count: string }>(sql, [
        this.settings.WEBHOOK_RETENTION_DAYS,
        batchSize,
      ]);
      most = Math.max(most, Number(row!.count));
    }
    return most === batchSize;
  }
}
