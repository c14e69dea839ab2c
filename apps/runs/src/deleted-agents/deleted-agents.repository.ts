import type { RunEntity } from '../run-core/run.entity.js';
import { openStatuses } from '../run-core/run-state.js';
import { Transactions } from '@aos/persistence';
import { Injectable } from '@nestjs/common';
import { DeletedAgentEntity } from './deleted-agent.entity.js';

@Injectable()
export class DeletedAgentsRepository {
  constructor(private readonly transactions: Transactions) {}

  async add(agents: readonly { agent_id: string; team_id: string }[]): Promise<void> {
    await this.transactions.query(
      `INSERT INTO deleted_agent (agent_id, team_id, deleted_at)
       SELECT agent_id, team_id, now() FROM jsonb_to_recordset($1::jsonb) AS gone(agent_id uuid, team_id uuid)
       ON CONFLICT (agent_id) DO NOTHING`,
      [JSON.stringify(agents)],
    );
  }

  includes(teamId: string, agentId: string): Promise<boolean> {
    return this.transactions.repository(DeletedAgentEntity).existsBy({ agent_id: agentId, team_id: teamId });
  }

  /** Open runs of agents that were deleted lately; a start that was under way then may have committed since. */
  async openRuns(limit: number, except: readonly string[]): Promise<Pick<RunEntity, 'id' | 'team_id'>[]> {
    return this.transactions.query(
      `SELECT run.id, run.team_id FROM deleted_agent AS gone
         JOIN run ON run.team_id = gone.team_id AND run.agent_id = gone.agent_id AND run.status = ANY($1::text[])
        WHERE gone.deleted_at > now() - interval '1 day' AND run.id <> ALL ($3::uuid[]) LIMIT $2`,
      [openStatuses, limit, except],
    );
  }
}
