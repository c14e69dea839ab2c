import type { BuildConfig } from '@aos/contracts';
import { Column, Entity, Index, PrimaryColumn, Unique } from 'typeorm';

export type BuildStatus = 'draft' | 'live' | 'historic';

@Entity('build')
@Unique('build_status_of_agent', ['id', 'agent_id', 'status'])
@Index('build_one_live', ['agent_id'], { unique: true, where: `status = 'live'` })
@Index('build_revision', ['agent_id', 'revision_number'], { unique: true })
export class BuildEntity {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid')
  agent_id!: string;

  @Column('uuid')
  team_id!: string;

  @Column('text')
  name!: string;

  @Column('integer')
  revision_number!: number;

  @Column('text', { nullable: true })
  revision_name!: string | null;

  @Column('text', { nullable: true })
  revision_description!: string | null;

  @Column('text')
  status!: BuildStatus;

  @Column('jsonb')
  config!: BuildConfig;

  @Column('uuid', { nullable: true })
  parent_build_id!: string | null;

  /** The build that was live before this one was promoted: where a rollback leads. */
  @Column('uuid', { nullable: true })
  previous_live_build_id!: string | null;

  @Column({ type: 'timestamptz', precision: 3 })
  created_at!: Date;

  @Column({ type: 'timestamptz', precision: 3 })
  updated_at!: Date;
}
