import { Transactions } from '@aos/persistence';
import { Inject, Injectable } from '@nestjs/common';
import type { RunMessageEntity } from './message.entity.js';

@Injectable()
export class MessagesRepository {
  constructor(@Inject(Transactions) private readonly transactions: Transactions) {}

  /** The page after an offset: numbers begin at 1 and have no gap, so nothing is skipped over. */
  async page(
    runId: string,
    { limit, offset }: { limit: number; offset: number },
  ): Promise<RunMessageEntity[]> {
    return this.transactions.query<RunMessageEntity>(
      'SELECT * FROM run_message WHERE run_id = $1 AND seq > $2 ORDER BY seq LIMIT $3',
      [runId, Math.min(offset, 2 ** 31 - 1), limit],
    );
  }

  /** The calls of a run that never got a result, oldest first. */
  async openCalls(runId: string): Promise<string[]> {
    const rows = await this.transactions.query<{ call_id: string }>(
      `SELECT tool_call ->> 'id' AS call_id FROM run_message AS called
        WHERE run_id = $1 AND type = 'tool_call'
          AND NOT EXISTS (SELECT FROM run_message AS ended WHERE ended.run_id = $1 AND ended.type = 'tool_result'
                             AND ended.tool_result ->> 'tool_call_id' = called.tool_call ->> 'id')
        ORDER BY seq`,
      [runId],
    );
    return rows.map((row) => row.call_id);
  }
}
