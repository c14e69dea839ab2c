import { Transactions, withinPageBytes } from '@aos/persistence';
import { Injectable } from '@nestjs/common';
import type { RunMessageEntity } from '../run-core/run-message.entity.js';

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
    return this.transactions.query<RunMessageEntity>(
      withinPageBytes(
        `SELECT message.* FROM run_message AS message
           JOIN run ON run.id = message.run_id AND run.team_id = $1
          WHERE message.run_id = $2 AND message.seq > $3 ORDER BY message.seq LIMIT $4`,
        { order: 'seq', bytes: 'octet_length(to_json(page)::text)' },
      ),
      [teamId, runId, Math.min(offset, 2 ** 31 - 1), limit],
    );
  }

  /** The calls of a run that never got a result, oldest first. */
  async openCalls(teamId: string, runId: string): Promise<string[]> {
    const rows = await this.transactions.query<{ call_id: string }>(
      `SELECT called.tool_call ->> 'id' AS call_id FROM run_message AS called
         JOIN run ON run.id = called.run_id AND run.team_id = $2
        WHERE called.run_id = $1 AND called.type = 'tool_call'
          AND NOT EXISTS (SELECT FROM run_message AS ended WHERE ended.run_id = $1 AND ended.type = 'tool_result'
                             AND ended.tool_result ->> 'tool_call_id' = called.tool_call ->> 'id')
        ORDER BY called.seq`,
      [runId, teamId],
    );
    return rows.map((row) => row.call_id);
  }
}
