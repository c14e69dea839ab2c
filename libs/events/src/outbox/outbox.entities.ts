import { Column, Entity, Index, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';

/** What one statement has recorded: its events have the positions behind `after`, once it has one. */
@Entity('outbox_batch')
@Index('outbox_batch_pending', ['id'], { where: 'after IS NULL' })
@Index('outbox_batch_after', ['after'], { unique: true, where: 'after IS NOT NULL' })
export class OutboxBatchEntity {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'BY DEFAULT' })
  id!: string;

  @Column('integer')
  size!: number;

  @Column('bigint', { nullable: true })
  after!: string | null;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'clock_timestamp()' })
  created_at!: Date;
}

/**
 * An event, written once. It is in the log as long as its batch is there, and one of a run is in the run's stream as long
 * as the run is.
 */
@Entity('logged_event')
@Index('logged_event_run', ['run_id', 'run_seq'], { unique: true, where: 'run_id IS NOT NULL' })
export class LoggedEventEntity {
  @PrimaryColumn('bigint')
  batch_id!: string;

  /** From 1. */
  @PrimaryColumn('integer')
  place!: number;

  @Column('uuid')
  id!: string;

  @Column('text')
  event!: string;

  @Column('uuid', { nullable: true })
  team_id!: string | null;

  @Column('uuid', { nullable: true })
  run_id!: string | null;

  @Column('integer', { nullable: true })
  run_seq!: number | null;

  @Column('jsonb')
  data!: object;

  @Column('jsonb')
  meta!: object;

  @Column({ type: 'timestamptz', precision: 3 })
  created_at!: Date;
}

@Entity('outbox_head')
export class OutboxHeadEntity {
  @PrimaryColumn('smallint')
  id!: number;

  @Column('bigint')
  position!: string;

  @Column('uuid', { nullable: true })
  epoch!: string | null;
}

/** A stretch of the log: everything after a position, until the next epoch begins. */
@Entity('outbox_epoch')
export class OutboxEpochEntity {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  id!: string;

  @Column('uuid')
  epoch!: string;

  @Column('bigint')
  after!: string;
}

export const outboxEntities = [
  OutboxBatchEntity,
  LoggedEventEntity,
  OutboxHeadEntity,
  OutboxEpochEntity,
] as const;
