import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { Recurrence } from './next-occurrence.js';

@Entity('schedule')
@Index('schedule_agent', ['agent_id', 'id'])
@Index('schedule_due', ['next_run_at'], { where: 'enabled' })
@Index('schedule_team', ['team_id', 'agent_id'], { where: 'enabled' })
export class ScheduleEntity implements Recurrence {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid')
  agent_id!: string;

  @Column('uuid')
  team_id!: string;

  @Column('boolean')
  enabled!: boolean;

  @Column('text')
  frequency!: Recurrence['frequency'];

  @Column('text')
  time!: string;

  @Column('text')
  timezone!: string;

  @Column('text')
  day!: string;

  @Column('integer')
  day_of_month!: number;

  @Column('text', { nullable: true })
  cron!: string | null;

  @Column('boolean')
  recurring!: boolean;

  @Column('text', { nullable: true })
  message!: string | null;

  /** Null while it is disabled. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  next_run_at!: Date | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  last_run_at!: Date | null;

  @Column('uuid', { nullable: true })
  last_run_id!: string | null;

  /** Runs in a row that failed or could not be started. */
  @Column('integer', { default: 0 })
  failed_runs!: number;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  auto_disabled_at!: Date | null;

  @Column('text', { nullable: true })
  auto_disabled_reason!: string | null;

  @Column({ type: 'timestamptz', precision: 3 })
  created_at!: Date;

  @Column({ type: 'timestamptz', precision: 3 })
  updated_at!: Date;
}
