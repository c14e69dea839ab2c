import type { RunError, RunSource, RunStatus, RunStopReason } from '@aos/contracts';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

const open = `status IN ('pending', 'running', 'waiting')`;
const ended = `status IN ('completed', 'failed', 'stopped')`;
const times = ['started_at', 'completed_at'];
const dimensions = ['agent_id', 'user_id', 'source', 'case_queue_id'];

/**
 * A run: what it is, how far it has got, and who works on it. Lists read it by the indexes that begin with the team;
 * `run_open` is for
 * those who look for work, `run_leased` for those who look for lost workers.
 */
@Entity('run')
@Index('run_team_open', ['team_id', 'status', 'created_at', 'id', ...times], { where: open })
@Index('run_team_agent', ['team_id', 'agent_id', 'status', 'created_at', 'id', ...times])
@Index('run_team_created', ['team_id', 'status', 'created_at', 'id', 'completed_at', 'has_issues'], {
  where: ended,
})
@Index('run_team_started', ['team_id', 'status', 'started_at', 'id', 'completed_at', ...dimensions], {
  where: ended,
})
@Index('run_team_completed', ['team_id', 'status', 'completed_at', 'id', ...dimensions], { where: ended })
@Index('run_team_user', ['team_id', 'user_id', 'status', 'created_at', 'id', ...times], {
  where: `${ended} AND user_id IS NOT NULL`,
})
@Index('run_team_source', ['team_id', 'source', 'status', 'created_at', 'id', ...times], { where: ended })
@Index('run_team_case_queue', ['team_id', 'case_queue_id', 'status', 'created_at', 'id', ...times], {
  where: `${ended} AND case_queue_id IS NOT NULL`,
})
@Index('run_team_issues', ['team_id', 'status', 'created_at', 'id', ...times, 'agent_id'], {
  where: 'has_issues',
})
@Index('run_team_severity', ['team_id', 'issue_severity', 'status', 'created_at', 'id', ...times], {
  where: 'issue_severity IS NOT NULL',
})
@Index('run_parent', ['parent_run_id', 'parent_call_id'], {
  unique: true,
  where: 'parent_run_id IS NOT NULL',
})
@Index('run_shared_sandbox', ['sandbox_id'], { where: 'sandbox_id <> id' })
@Index('run_open', ['team_id', 'queued_at', 'id'], { where: `status IN ('pending', 'running')` })
@Index('run_leased', ['id'], { where: 'lease_token IS NOT NULL' })
@Index('run_open_sub', ['parent_run_id'], { where: `parent_run_id IS NOT NULL AND ${open}` })
@Index('run_case', ['case_id', 'created_at', 'id'], { where: 'case_id IS NOT NULL' })
@Index('run_case_open', ['team_id', 'agent_id'], {
  where: `case_id IS NOT NULL AND status IN ('pending', 'running')`,
})
@Index('run_suspect', ['queued_at'], { where: `takeovers >= 3 AND status = 'running'` })
export class RunEntity {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid')
  team_id!: string;

  @Column('uuid')
  agent_id!: string;

  /** The number among the runs of the agent, from 1. */
  @Column('integer')
  run_number!: number;

  @Column('text')
  agent_name!: string;

  @Column('uuid')
  build_id!: string;

  /** Names the copy of the build. */
  @Column('text')
  build_digest!: string;

  @Column('text')
  title!: string;

  @Column('text')
  status!: RunStatus;

  @Column('text')
  source!: RunSource;

  @Column('uuid')
  sandbox_id!: string;

  /** The trace of what has started it: its work belongs to it, in spans and in logs. */
  @Column('text', { nullable: true })
  traceparent!: string | null;

  @Column('uuid', { nullable: true })
  user_id!: string | null;

  /** The run that has started it by a tool call, and that call. */
  @Column('uuid', { nullable: true })
  parent_run_id!: string | null;

  @Column('text', { nullable: true })
  parent_call_id!: string | null;

  /** How many runs stand above it. */
  @Column('integer', { default: 0 })
  depth!: number;

  @Column('uuid', { nullable: true })
  schedule_id!: string | null;

  @Column('uuid', { nullable: true })
  case_id!: string | null;

  @Column('text', { nullable: true })
  case_title!: string | null;

  @Column('uuid', { nullable: true })
  case_queue_id!: string | null;

  @Column('text', { nullable: true })
  case_queue_name!: string | null;

  @Column('boolean')
  human_in_the_loop_enabled!: boolean;

  @Column('jsonb')
  metadata!: Record<string, string>;

  /** May hold a secret, so it is in no answer. */
  @Column('text', { nullable: true })
  webhook_url!: string | null;

  @Column('text', { nullable: true })
  result!: string | null;

  @Column('jsonb', { nullable: true })
  error!: RunError | null;

  @Column('text', { nullable: true })
  stop_reason!: RunStopReason | null;

  @Column('integer')
  steps!: number;

  @Column('integer')
  tool_calls!: number;

  @Column('bigint')
  input_tokens!: string;

  @Column('bigint')
  output_tokens!: string;

  @Column('boolean', { nullable: true })
  has_issues!: boolean | null;

  /** The worst of its issues. */
  @Column('text', { nullable: true })
  issue_severity!: string | null;

  /** How far the model's script has got. */
  @Column('integer')
  script_position!: number;

  /** The number of its latest message, and so how many there are. */
  @Column('integer')
  message_seq!: number;

  @Column('bigint', { default: 0 })
  message_bytes!: string;

  /** The number of its latest public event. */
  @Column('integer')
  event_seq!: number;

  /** How often a message has reopened it. Limits count from the latest time. */
  @Column('integer')
  reopened!: number;

  @Column('integer')
  limits_from_steps!: number;

  @Column('bigint')
  limits_from_tokens!: string;

  /** Working time that counts against the limit. */
  @Column('bigint')
  active_ms!: string;

  /** How often it was given out again. */
  @Column('integer')
  dispatches!: number;

  /** How many workers it has lost since its latest step. */
  @Column('integer', { default: 0 })
  takeovers!: number;

  /** The server and timeline of Postgres on which its history is complete; null where the server does not tell. */
  @Column('text', { nullable: true })
  timeline!: string | null;

  @Column({ type: 'timestamptz', precision: 3 })
  queued_at!: Date;

  /** The fencing token of the worker that has it. */
  @Column('uuid', { nullable: true })
  lease_token!: string | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  lease_until!: Date | null;

  /** A run that sleeps is not taken before. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  wake_at!: Date | null;

  @Column({ type: 'timestamptz', precision: 3 })
  created_at!: Date;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  started_at!: Date | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  completed_at!: Date | null;

  @Column({ type: 'timestamptz', precision: 3 })
  updated_at!: Date;
}
