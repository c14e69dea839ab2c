import type { WakeableLoop } from '@aos/background';
import { agentDeleted, teamOf, type TypedBusEvent } from '@aos/contracts';
import { Consumes } from '@aos/events';
import { Transactions } from '@aos/persistence';
import { Injectable } from '@nestjs/common';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { openStatuses } from '../../run-core/run-state.js';
import type { RunEntity } from '../../run-core/run.entity.js';
import { StopSweeps } from '../run-stops/run-stops.js';
import { addDeletedAgents, openRunsOfDeletedAgents } from './deleted-agents.sql.js';

/** Agents of which no run may start any more. */
@Entity('deleted_agent')
@Index('deleted_agent_time', ['deleted_at'])
export class DeletedAgentEntity {
  @PrimaryColumn('uuid')
  agent_id!: string;

  @Column('uuid')
  team_id!: string;

  @Column({ type: 'timestamptz', precision: 3 })
  deleted_at!: Date;
}

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

const lookEveryMs = 3_000;

/** Stops the open runs of a deleted agent; no further run starts. */
@Injectable()
export class DeletedAgentsEvents {
  private readonly stopping: WakeableLoop;

  constructor(
    private readonly agents: DeletedAgentsRepository,
    sweeps: StopSweeps,
    private readonly transactions: Transactions,
  ) {
    this.stopping = sweeps.add({
      name: 'the end of runs of deleted agents',
      what: 'the stop of a run whose agent was deleted',
      idleMs: lookEveryMs,
      reason: 'agent_deleted',
      find: (limit, except) => agents.openRuns(limit, except),
    });
  }

  @Consumes(agentDeleted)
  async agentsDeleted(events: readonly TypedBusEvent<typeof agentDeleted>[]): Promise<void> {
    const gone = events.map(({ data, meta }) => ({ agent_id: data.agent_id, team_id: teamOf(meta) }));
    await this.agents.add(gone);
    this.transactions.afterCommit(() => this.stopping.wake());
  }
}
