import { Transactions } from '@aos/persistence';
import { Inject, Injectable } from '@nestjs/common';
import { busyStatuses, endsOf } from './builder-run-state.js';

/** What others need to know of builder runs, and what befalls them when an agent goes. */
@Injectable()
export class BuilderActivity {
  constructor(@Inject(Transactions) private readonly transactions: Transactions) {}

  /** Whether a builder run is pending, running or waiting on the build. */
  async isBusy(teamId: string, buildId: string): Promise<boolean> {
    const rows = await this.transactions.query(
      `SELECT id FROM builder_run
        WHERE build_id = $2 AND team_id = $1 AND status = ANY($3::text[]) LIMIT 1`,
      [teamId, buildId, busyStatuses],
    );
    return rows.length > 0;
  }

  /** The agent is gone: what was under way for it ends. */
  async endAll(teamId: string, agentId: string): Promise<void> {
    const { from, to } = endsOf('abandon');
    await this.transactions.query(
      `UPDATE builder_run SET status = $4, pending_user_questions = NULL, lease_token = NULL,
              lease_until = NULL, completed_at = now()
        WHERE agent_id = $2 AND team_id = $1 AND status = ANY($3::text[])`,
      [teamId, agentId, from, to],
    );
  }
}
