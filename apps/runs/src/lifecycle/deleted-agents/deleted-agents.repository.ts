import type { RunEntity } from '../../run-core/run.entity.js';
import { openStatuses } from '../../run-core/run-state.js';
import { Transactions } from '@aos/persistence';
import { Injectable } from '@nestjs/common';
import { DeletedAgentEntity } from './deleted-agent.entity.js';
import { addDeletedAgents, openRunsOfDeletedAgents } from './deleted-agents.sql.js';

@Injectable()
export class DeletedAgentsRepository {
  constructor(private readonly transactions: Transactions) {}

  async add(agents: readonly { agent_id: string; team_id: string }[]): Promise<void> {
    await this.transactions.query(addDeletedAgents, [JSON.stringify(agents)]);
  }

  includes(teamId: string, agentId: string): Promise<boolean> {
    return this.transactions.repository(DeletedAgentEntity).existsBy({ agent_id: agentId, team_id: teamId });
  }

  /** Open runs of agents that were deleted lately; a start that was under way then may have committed since. */
  async openRuns(limit: number, except: readonly string[]): Promise<Pick<RunEntity, 'id' | 'team_id'>[]> {
    return this.transactions.query(openRunsOfDeletedAgents, [openStatuses, limit, except]);
  }
}
