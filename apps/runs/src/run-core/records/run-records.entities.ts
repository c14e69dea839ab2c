import type { MessageRole, MessageType, RunMessage, StepKind, StepStatus } from '@aos/contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Steps are numbered from 1. A running step waits for a person or a time. */
@Entity('run_step')
export class RunStepEntity {
  @PrimaryColumn('uuid')
  run_id!: string;

  @PrimaryColumn('integer')
  step_index!: number;

  @Column('text')
  name!: string;

  @Column('text')
  kind!: StepKind;

  @Column('text')
  status!: StepStatus;

  @Column('integer')
  attempts!: number;

  @Column('integer', { nullable: true })
  input_tokens!: number | null;

  @Column('integer', { nullable: true })
  output_tokens!: number | null;

  @Column('integer', { nullable: true })
  tool_calls!: number | null;

  @Column('text', { nullable: true })
  error!: string | null;

  @Column({ type: 'timestamptz', precision: 3 })
  started_at!: Date;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  completed_at!: Date | null;
}

/** A step as a change of the run brings it. */
export type StepRow = Omit<RunStepEntity, 'run_id' | 'step_index'>;

/** Numbered 1, 2, 3 … within the run; never changed, never deleted alone. */
@Entity('run_message')
export class RunMessageEntity {
  @PrimaryColumn('uuid')
  run_id!: string;

  @PrimaryColumn('integer')
  seq!: number;

  @Column('uuid')
  id!: string;

  @Column('text')
  type!: MessageType;

  @Column('text')
  role!: MessageRole;

  @Column('text', { nullable: true })
  text_content!: string | null;

  @Column('jsonb', { nullable: true })
  tool_call!: NonNullable<RunMessage['tool_call']> | null;

  @Column('jsonb', { nullable: true })
  tool_result!: NonNullable<RunMessage['tool_result']> | null;

  @Column({ type: 'timestamptz', precision: 3 })
  created_at!: Date;
}
