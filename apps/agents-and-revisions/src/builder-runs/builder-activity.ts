import { Transactions } from '@aos/persistence';
import { Injectable } from '@nestjs/common';
import { In, type Repository } from 'typeorm';
import { BuilderRunEntity } from './builder-run.entity.js';
import { busyStatuses, endsOf } from './builder-run-state.js';

@Injectable()
export class BuilderActivity {
  constructor(private readonly transactions: Transactions) {}

  /** Whether a builder run is pending, running or waiting on the build. */
  async isBusy(teamId: string, buildId: string): Promise<boolean> {
    return this.rows.existsBy({ build_id: buildId, team_id: teamId, status: In(busyStatuses) });
  }

  /** The agent is gone: what was under way for it ends. */
  async endAll(teamId: string, agentId: string): Promise<void> {
    const { from, to } = endsOf('abandon');
    await this.rows.update(
      { agent_id: agentId, team_id: teamId, status: In(from) },
      {
        status: to,
        pending_user_questions: null,
        lease_token: null,
        lease_until: null,
        completed_at: () => 'now()',
      },
    );
  }

  private get rows(): Repository<BuilderRunEntity> {
    return this.transactions.repository(BuilderRunEntity);
  }
}
