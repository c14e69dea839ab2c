import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A firing that has yet to become a run; gone in the statement that makes the run. */
@Entity('scheduled_start')
@Index('scheduled_start_due', ['next_attempt_at'])
export class ScheduledStartEntity {
  @PrimaryColumn('uuid')
  run_id!: string;

  @Column('uuid')
  schedule_id!: string;

  @Column('uuid')
  agent_id!: string;

  @Column('uuid')
  team_id!: string;

  @Column('text', { nullable: true })
  message!: string | null;

  @Column('integer')
  attempts!: number;

  @Column({ type: 'timestamptz', precision: 3 })
  next_attempt_at!: Date;
}
