import { BackgroundLoops } from '@aos/background';
import { Transactions } from '@aos/persistence';
import { Inject, Injectable } from '@nestjs/common';
import { BillingSettings, type BillingConfig } from '../config/billing.config.js';
import { pruneRecords } from '../usage-records/usage-records.sql.js';

const dayMs = 86_400_000;
const atOnce = 1_000;
const idleMs = 60_000;

/** Removes records that are old enough, few at a time; the sums stay. */
@Injectable()
export class RecordRetention {
  constructor(
    private readonly transactions: Transactions,
    @Inject(BillingSettings) private readonly settings: Pick<BillingConfig, 'USAGE_RETENTION_DAYS'>,
    loops: BackgroundLoops,
  ) {
    loops.add({ name: 'the retention of usage records', idleMs, work: () => this.prune() });
  }

  /** True if there may be more. */
  async prune(now = Date.now()): Promise<boolean> {
    const oldest = new Date(now - this.settings.USAGE_RETENTION_DAYS * dayMs).toISOString().slice(0, 10);
    const [row] = await this.transactions.query<{ count: string }>(pruneRecords, [oldest, atOnce]);
    return Number(row!.count) === atOnce;
  }
}
