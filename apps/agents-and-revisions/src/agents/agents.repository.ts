import { PreparedStatements, Transactions, type Page, type PageRequest } from '@aos/persistence';
import { Injectable } from '@nestjs/common';
import { IsNull, type Repository } from 'typeorm';
import { AgentEntity, TeamAgentCountEntity } from './agent.entity.js';
import { findAgent, moveAgentCount } from './agents.sql.js';

export interface AgentChanges {
  readonly name?: string;
  readonly description?: string | null;
  readonly agentic_memory_enabled?: boolean;
}

type NewAgent = Pick<
  AgentEntity,
  'id' | 'team_id' | 'name' | 'description' | 'agentic_memory_enabled' | 'live_build_id'
>;

@Injectable()
export class AgentsRepository {
  constructor(
    private readonly transactions: Transactions,
    private readonly statements: PreparedStatements,
  ) {}

  async insert(agent: NewAgent): Promise<AgentEntity> {
    await this.count(agent.team_id, 1);
    await this.rows.insert({
      ...agent,
      last_revision_number: 1,
      created_at: () => 'now()',
      updated_at: () => 'now()',
    });
    return this.rows.findOneByOrFail(present(agent.team_id, agent.id));
  }

  async find(teamId: string, agentId: string): Promise<AgentEntity | undefined> {
    const [row] = await this.statements.read<AgentEntity>(findAgent, [teamId, agentId]);
    return row;
  }

  /** For changes of what belongs to the agent: one at a time. */
  async lock(teamId: string, agentId: string): Promise<AgentEntity | undefined> {
    const where = present(teamId, agentId);
    return (await this.rows.findOne({ where, lock: { mode: 'pessimistic_write' } })) ?? undefined;
  }

  async list(teamId: string, page: PageRequest): Promise<Page<AgentEntity>> {
    const items = await this.rows.find({
      where: { team_id: teamId, deleted_at: IsNull() },
      order: { id: 'DESC' },
      take: page.limit,
      skip: page.offset,
    });
    return { items, total: await this.countOf(teamId), ...page };
  }

  async countOf(teamId: string): Promise<number> {
    const counted = await this.transactions.repository(TeamAgentCountEntity).findOneBy({ team_id: teamId });
    return counted?.agents ?? 0;
  }

  /** Oldest first. */
  names(teamId: string, limit: number): Promise<Pick<AgentEntity, 'id' | 'name' | 'description'>[]> {
    return this.rows.find({
      select: { id: true, name: true, description: true },
      where: { team_id: teamId, deleted_at: IsNull() },
      order: { id: 'ASC' },
      take: limit,
    });
  }

  async update(teamId: string, agentId: string, changes: AgentChanges): Promise<AgentEntity | undefined> {
    const { name, description, agentic_memory_enabled } = changes;
    const where = present(teamId, agentId);
    await this.rows.update(where, {
      name,
      description,
      agentic_memory_enabled,
      updated_at: () => 'now()',
    });
    return (await this.rows.findOneBy(where)) ?? undefined;
  }

  async markDeleted(teamId: string, agentId: string): Promise<boolean> {
    const { affected } = await this.rows.update(present(teamId, agentId), {
      deleted_at: () => 'now()',
      updated_at: () => 'now()',
    });
    if (affected === 0) return false;
    await this.count(teamId, -1);
    return true;
  }

  /** The number of the next revision; the agent must be locked. */
  async nextRevisionNumber({ id, last_revision_number: last }: AgentEntity): Promise<number> {
    await this.rows.update({ id }, { last_revision_number: last + 1, updated_at: () => 'now()' });
    return last + 1;
  }

  async setLive(agentId: string, buildId: string): Promise<void> {
    await this.rows.update({ id: agentId }, { live_build_id: buildId, updated_at: () => 'now()' });
  }

  private get rows(): Repository<AgentEntity> {
    return this.transactions.repository(AgentEntity);
  }

  private async count(teamId: string, change: 1 | -1): Promise<void> {
    await this.transactions.query(moveAgentCount, [teamId, change]);
  }
}

function present(teamId: string, agentId: string) {
  return { id: agentId, team_id: teamId, deleted_at: IsNull() };
}
