import { Transactions } from '@aos/persistence';
import { Injectable } from '@nestjs/common';
import { ScheduledStartEntity } from './scheduled-start.entity.js';
import { addStarts, takeDueStarts } from './scheduled-starts.sql.js';

type Row = ScheduledStartEntity;

const attemptEveryMs = 5_000;

@Injectable()
export class ScheduledStartsRepository {
  constructor(private readonly transactions: Transactions) {}

  async add(starts: readonly Omit<Row, 'attempts' | 'next_attempt_at'>[]): Promise<void> {
    await this.transactions.query(addStarts, [JSON.stringify(starts)]);
  }

  /** Takes what is due; another replica takes others, and these come again if nothing becomes of them. */
  async takeDue(limit: number): Promise<Row[]> {
    return this.transactions.query<Row>(takeDueStarts, [limit, attemptEveryMs]);
  }

  async drop(runId: string): Promise<boolean> {
    const { affected } = await this.transactions.repository(ScheduledStartEntity).delete({ run_id: runId });
    return affected === 1;
  }
}
