import { Transactions } from '@aos/persistence';
import { Injectable } from '@nestjs/common';
import { ScheduledStartEntity } from './scheduled-start.entity.js';

type Row = ScheduledStartEntity;

const attemptEveryMs = 5_000;

@Injectable()
export class ScheduledStartsRepository {
  constructor(private readonly transactions: Transactions) {}

  async add(starts: readonly Omit<Row, 'attempts' | 'next_attempt_at'>[]): Promise<void> {
    await this.transactions.query(
      `INSERT INTO scheduled_start (run_id, schedule_id, agent_id, team_id, message, attempts, next_attempt_at)
       SELECT run_id, schedule_id, agent_id, team_id, message, 0, now()
         FROM jsonb_to_recordset($1::jsonb)
           AS fired(run_id uuid, schedule_id uuid, agent_id uuid, team_id uuid, message text)
       ON CONFLICT (run_id) DO NOTHING`,
      [JSON.stringify(starts)],
    );
  }

  /** Takes what is due; another replica takes others, and these come again if nothing becomes of them. */
  async takeDue(limit: number): Promise<Row[]> {
    return this.transactions.query<Row>(
      `UPDATE scheduled_start SET attempts = attempts + 1, next_attempt_at = now() + interval '${attemptEveryMs} ms'
        WHERE run_id IN (SELECT run_id FROM scheduled_start WHERE next_attempt_at <= now()
                          ORDER BY next_attempt_at LIMIT $1 FOR UPDATE SKIP LOCKED)
       RETURNING *`,
      [limit],
    );
  }

  async drop(runId: string): Promise<boolean> {
    const { affected } = await this.transactions.repository(ScheduledStartEntity).delete({ run_id: runId });
    return affected === 1;
  }
}
