import type { AnsweredQuestion } from '@aos/agent-runtime';
import type { BuildConfig, Question } from '@aos/contracts';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { BuilderRunPhase, BuilderRunStatus } from './builder-run-state.js';

const active = `status IN ('pending', 'running', 'waiting', 'awaiting_review')`;

@Entity('builder_run')
@Index('builder_run_build', ['build_id', 'created_at'])
@Index('builder_run_one_active', ['build_id'], { unique: true, where: active })
@Index('builder_run_agent_active', ['agent_id'], { where: active })
@Index('builder_run_to_do', ['id'], { where: `status IN ('pending', 'running')` })
export class BuilderRunEntity {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid')
  team_id!: string;

  @Column('uuid')
  agent_id!: string;

  @Column('uuid')
  build_id!: string;

  @Column('text')
  status!: BuilderRunStatus;

  @Column('text')
  phase!: BuilderRunPhase;

  @Column('text')
  prompt!: string;

  /** The build's config when the run began. */
  @Column('jsonb')
  checkpoint_config!: BuildConfig;

  /** The unchecked result of the builder. */
  @Column('jsonb', { nullable: true })
  draft_config!: BuildConfig | null;

  @Column('jsonb', { nullable: true })
  proposed_config!: BuildConfig | null;

  @Column('jsonb', { nullable: true })
  pending_user_questions!: { questions: Question[] } | null;

  /** Answers of all rounds, in the order of the questions. */
  @Column('jsonb')
  answers!: AnsweredQuestion[];

  @Column('jsonb', { nullable: true })
  error!: { code: string; message: string } | null;

  /** Attempts that ended with an error which may pass. */
  @Column('integer', { default: 0 })
  failed_attempts!: number;

  /** Workers whose lease ran out since it last got further. */
  @Column('integer', { default: 0 })
  lost_workers!: number;

  /** The job in Redis that is to carry it on. */
  @Column('uuid')
  job_id!: string;

  /** Its worker writes only while this is its own. */
  @Column('uuid', { nullable: true })
  lease_token!: string | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  lease_until!: Date | null;

  @Column({ type: 'timestamptz', precision: 3 })
  created_at!: Date;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  started_at!: Date | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  completed_at!: Date | null;
}
