import type { HumanRequest, Question } from '@aos/contracts';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A run has at most one pending request. */
@Entity('human_request')
@Index('human_request_pending', ['run_id'], { unique: true, where: `status = 'pending'` })
@Index('human_request_due', ['due_at'], { where: `status = 'pending' AND due_at IS NOT NULL` })
@Index('human_request_run', ['run_id', 'id'])
@Index('human_request_team', ['team_id', 'status', 'id'])
@Index('human_request_assignee', ['team_id', 'assignee', 'status', 'id'], { where: 'assignee IS NOT NULL' })
export class HumanRequestEntity {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid')
  run_id!: string;

  @Column('uuid')
  team_id!: string;

  /** The call of the model that its answer is the result of. */
  @Column('text')
  tool_call_id!: string;

  @Column('text')
  type!: HumanRequest['type'];

  @Column('text')
  title!: string;

  @Column('text', { nullable: true })
  description!: string | null;

  @Column('jsonb', { nullable: true })
  questions!: Question[] | null;

  @Column('text')
  status!: HumanRequest['status'];

  @Column('jsonb', { nullable: true })
  response!: HumanRequest['response'];

  @Column('jsonb')
  votes!: HumanRequest['votes'];

  @Column('text', { nullable: true })
  assignee!: string | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  due_at!: Date | null;

  @Column('text')
  on_timeout!: HumanRequest['on_timeout'];

  @Column('integer')
  required_approvals!: number;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  responded_at!: Date | null;

  @Column({ type: 'timestamptz', precision: 3 })
  created_at!: Date;
}
