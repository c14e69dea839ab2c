import { BackgroundLoops } from '@aos/background';
import { Transactions } from '@aos/persistence';
import { Logger, Metrics, type Counter } from '@aos/platform';
import { Inject, Injectable } from '@nestjs/common';
import { BillingSettings, type BillingConfig } from '../config/billing.config.js';
import { UsageRecordEntity } from '../usage-records/usage-record.entities.js';
import { monthOf } from '../usage-records/billing-period.js';
import {
  lockSumsOfAgents,
  lockSumsOfDays,
  recountAgents,
  recountDays,
} from '../usage-records/usage-records.sql.js';
import { dayText, type Days } from './chosen-days.js';

const dayMs = 86_400_000;

/**
 * Compares the sums with the records they were made of, and mends them. They never differ unless a person or a fault
 * has changed a table, so that a difference is worth a look; hence the metric and the log line.
 */
@Injectable()
export class Recount {
  private readonly mended: Counter;

  constructor(
    private readonly transactions: Transactions,
    private readonly logger: Logger,
    metrics: Metrics,
    loops: BackgroundLoops,
    @Inject(BillingSettings)
    private readonly settings: Pick<BillingConfig, 'USAGE_RECOUNT_EVERY_MS' | 'USAGE_RETENTION_DAYS'>,
  ) {
    this.mended = metrics.counter({
      name: 'aos_usage_sums_mended_total',
      help: 'Sums of usage that differed from their records when they were counted again',
    });
    loops.add({
      name: 'the recount of usage',
      idleMs: settings.USAGE_RECOUNT_EVERY_MS,
      work: async () => {
        await this.latest();
        return false;
      },
    });
  }

  /** Yesterday and today. */
  latest(now = Date.now()): Promise<number> {
    return this.days({ from: dayText(now - dayMs), before: dayText(now + dayMs) });
  }

  /**
   * The first day whose records are all there; undefined if there are none. Those before may have gone, also by a
   * retention that was shorter than it is now: sums of such days must not be made of what is left.
   */
  async firstComplete(now = Date.now()): Promise<string | undefined> {
    const [oldest] = await this.transactions
      .repository(UsageRecordEntity)
      .find({ select: { id: true, day: true }, order: { day: 'ASC' }, take: 1 });
    const kept = dayText(now - this.settings.USAGE_RETENTION_DAYS * dayMs);
    return oldest && (oldest.day > kept ? oldest.day : kept);
  }

  /** Days whose records are complete, and the sums of agents in months that lie within. Gives how many sums were wrong. */
  async days({ from, before }: Days): Promise<number> {
    let mended = await this.mend([from, before], lockSumsOfDays, recountDays);
    for (const month of wholeMonths({ from, before })) {
      mended += await this.mend([month.first, month.next], lockSumsOfAgents, recountAgents);
    }
    if (mended > 0) {
      this.mended.inc(mended);
      this.logger.warn({ from, before, mended }, 'usage totals differed from their records');
    }
    return mended;
  }

  /** Locks before it counts, in a statement of its own: what was added until then is seen, and nothing is added meanwhile. */
  private mend(range: [string, string], lock: string, recount: string): Promise<number> {
    return this.transactions.run(async () => {
      await this.transactions.query(lock, range);
      const [row] = await this.transactions.query<{ count: string }>(recount, range);
      return Number(row!.count);
    });
  }
}

/** The months of which every day is among the days. */
export function wholeMonths({ from, before }: Days): { first: string; next: string }[] {
  const months = [];
  for (let month = monthOf(new Date(from)); month.next <= before; month = monthOf(new Date(month.next))) {
    if (month.first >= from) months.push(month);
  }
  return months;
}
