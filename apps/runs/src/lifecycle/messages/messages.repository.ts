import { Transactions } from '@aos/persistence';
import { Injectable } from '@nestjs/common';
import type { RunMessageEntity } from '../../run-core/records/run-message.entity.js';
import { messagePage, openCalls } from './messages.sql.js';

@Injectable()
export class MessagesRepository {
  constructor(private readonly transactions: Transactions) {}

  /**
   * The page after an offset: numbers begin at 1 and have no gap, so nothing is skipped over. Fewer where they are
   * large.
   */
  async page(
    teamId: string,
    runId: string,
    { limit, offset }: { limit: number; offset: number },
  ): Promise<RunMessageEntity[]> {
    return this.transactions.query<RunMessageEntity>(messagePage, [
      teamId,
      runId,
      Math.min(offset, 2 ** 31 - 1),
      limit,
    ]);
  }

  /** The calls of a run that never got a result, oldest first. */
  async openCalls(teamId: string, runId: string): Promise<string[]> {
    const rows = await this.transactions.query<{ call_id: string }>(openCalls, [teamId, runId]);
    return rows.map((row) => row.call_id);
  }
}
