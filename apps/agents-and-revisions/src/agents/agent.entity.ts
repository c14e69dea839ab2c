import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { BuildEntity } from '../builds/build.entity.js';

/**
 * `live_build_id` points at a build of this agent that is live: the foreign key includes the status, and an index
 * on builds allows one live build, so an agent has exactly one at every commit.
 */
@Entity('agent')
@Index('agent_team', ['team_id', 'id'], { where: 'deleted_at IS NULL' })
@Check('agent_live_status', `live_status = 'live'`)
@ForeignKey(() => BuildEntity, ['live_build_id', 'id', 'live_status'], ['id', 'agent_id', 'status'], {
  name: 'agent_live_build',
  deferrable: 'INITIALLY DEFERRED',
})
export class AgentEntity {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid')
  team_id!: string;

  @Column('text')
  name!: string;

  @Column('text', { nullable: true })
  description!: string | null;

  @Column('boolean')
  agentic_memory_enabled!: boolean;

  @Column('uuid')
  live_build_id!: string;

  @Column('text', { default: 'live' })
  live_status!: string;

  /** Also the number of its builds: they are never deleted. */
  @Column('integer')
  last_revision_number!: number;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  last_run_at!: Date | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  deleted_at!: Date | null;

  @Column({ type: 'timestamptz', precision: 3 })
  created_at!: Date;

  @Column({ type: 'timestamptz', precision: 3 })
  updated_at!: Date;
}

/** How many agents a team has, so that a page of the list does not count them all. */
@Entity('team_agent_count')
export class TeamAgentCountEntity {
  @PrimaryColumn('uuid')
  team_id!: string;

  @Column('integer')
  agents!: number;
}
