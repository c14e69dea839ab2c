import { Statements, Transactions, type Page, type PageRequest } from '@aos/persistence';
import { Inject, Injectable } from '@nestjs/common';
import type { AgentEntity } from './agent.entity.js';

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
    @Inject(Transactions) private readonly transactions: Transactions,
    @Inject(Statements) private readonly statements: Statements,
  ) {}

  async insert(agent: NewAgent): Promise<AgentEntity> {
    await this.count(agent.team_id, 1);
    const [row] = await this.transactions.query<AgentEntity>(
      `INSERT INTO agent (id, team_id, name, description, agentic_memory_enabled, live_build_id,
                          last_revision_number, created_at, updated_at)
       VALUES ($1, $2, $3, $4, $5, $6, 1, now(), now()) RETURNING *`,
      [
        agent.id,
        agent.team_id,
        agent.name,
        agent.description,
        agent.agentic_memory_enabled,
        agent.live_build_id,
      ],
    );
    return row!;
  }

  async find(teamId: string, agentId: string): Promise<AgentEntity | undefined> {
    const [row] = await this.statements.read<AgentEntity>(
      'SELECT * FROM agent WHERE id = $2 AND team_id = $1 AND deleted_at IS NULL',
      [teamId, agentId],
    );
    return row;
  }

  /** For whoever changes what belongs to the agent: one at a time. */
  async lock(teamId: string, agentId: string): Promise<AgentEntity | undefined> {
    const [row] = await this.transactions.query<AgentEntity>(
      'SELECT * FROM agent WHERE id = $2 AND team_id = $1 AND deleted_at IS NULL FOR UPDATE',
      [teamId, agentId],
    );
    return row;
  }

  async list(teamId: string, page: PageRequest): Promise<Page<AgentEntity>> {
    const items = await this.transactions.query<AgentEntity>(
      `SELECT * FROM agent WHERE team_id = $1 AND deleted_at IS NULL ORDER BY id DESC LIMIT $2 OFFSET $3`,
      [teamId, page.limit, page.offset],
    );
    const [total] = await this.transactions.query<{ agents: number }>(
      'SELECT agents FROM team_agent_count WHERE team_id = $1',
      [teamId],
    );
    return { items, total: total?.agents ?? 0, ...page };
  }

  async update(teamId: string, agentId: string, changes: AgentChanges): Promise<AgentEntity | undefined> {
    const [row] = await this.transactions.query<AgentEntity>(
      `UPDATE agent SET name = coalesce($3, name),
              description = CASE WHEN $4 THEN $5 ELSE description END,
              agentic_memory_enabled = coalesce($6, agentic_memory_enabled),
              updated_at = now()
        WHERE id = $2 AND team_id = $1 AND deleted_at IS NULL RETURNING *`,
      [
        teamId,
        agentId,
        changes.name,
        changes.description !== undefined,
        changes.description,
        changes.agentic_memory_enabled,
      ],
    );
    return row;
  }

  /** When runs of agents of all teams have started; events may come late. */
  async noteRuns(starts: readonly { agent_id: string; at: string }[]): Promise<void> {
    await this.transactions.query(
      `UPDATE agent SET last_run_at = greatest(last_run_at, started.at)
         FROM jsonb_to_recordset($1::jsonb) AS started(agent_id uuid, at timestamptz)
        WHERE agent.id = started.agent_id`,
      [JSON.stringify(starts)],
    );
  }

  async markDeleted(teamId: string, agentId: string): Promise<boolean> {
    const gone = await this.transactions.query(
      `UPDATE agent SET deleted_at = now(), updated_at = now()
        WHERE id = $2 AND team_id = $1 AND deleted_at IS NULL RETURNING id`,
      [teamId, agentId],
    );
    if (gone.length === 0) return false;
    await this.count(teamId, -1);
    return true;
  }

  /** The number of the next revision; the agent must be locked. */
  async nextRevisionNumber(agentId: string): Promise<number> {
    const [row] = await this.transactions.query<{ last_revision_number: number }>(
      `UPDATE agent SET last_revision_number = last_revision_number + 1, updated_at = now()
        WHERE id = $1 RETURNING last_revision_number`,
      [agentId],
    );
    return row!.last_revision_number;
  }

  async setLive(agentId: string, buildId: string): Promise<void> {
    await this.transactions.query('UPDATE agent SET live_build_id = $2, updated_at = now() WHERE id = $1', [
      agentId,
      buildId,
    ]);
  }

  private async count(teamId: string, change: 1 | -1): Promise<void> {
    await this.transactions.query(
      `INSERT INTO team_agent_count (team_id, agents) VALUES ($1, $2)
       ON CONFLICT (team_id) DO UPDATE SET agents = team_agent_count.agents + $2`,
      [teamId, change],
    );
  }
}
