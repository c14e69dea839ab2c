import type { MessageRole, MessageType, RunMessage } from '@aos/contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';

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
