import { Column, Entity, Index, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';

/** What one statement has recorded: its events have the positions behind `after`, once it has one. */
@Entity('outbox_batch')
@Index('outbox_batch_pending', ['id'], { where: 'after IS NULL' })
@Index('outbox_batch_after', ['after'], { unique: true, where: 'after IS NOT NULL' })
export class OutboxBatchEntity {
  @PrimaryColumn('bigint')
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

/** Where the version before records events. */
@Entity('outbox_event')
@Index('outbox_event_pending', ['seq'], { where: 'position IS NULL' })
@Index('outbox_event_position', ['position'], { unique: true, where: 'position IS NOT NULL' })
export class OutboxEventEntity {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  seq!: string;

  @Column('uuid')
  id!: string;

  @Column('bigint', { nullable: true })
  position!: string | null;

  @Column('text')
  event!: string;

  @Column('uuid', { nullable: true })
  team_id!: string | null;

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

@Entity('event_position')
export class EventPositionEntity {
  @PrimaryColumn('text')
  source!: string;

  @Column('bigint')
  position!: string;

  @Column('text', { nullable: true })
  lease_owner!: string | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  lease_until!: Date | null;

  /** The epoch of the log that the position belongs to. */
  @Column('uuid', { nullable: true })
  epoch!: string | null;

  /** The position when the epoch was last known to be true: a version without epochs moves only the other one. */
  @Column('bigint', { nullable: true })
  epoch_position!: string | null;

  /** When the log was last found to have gone back. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  started_over_at!: Date | null;
}

/** The epochs that a followed log had when this service last looked. */
@Entity('event_epoch')
export class EventEpochEntity {
  @PrimaryColumn('text')
  source!: string;

  @PrimaryColumn('uuid')
  epoch!: string;
}

/** The ids of events that were handled together; asked for only when a log has gone back. */
@Entity('handled_event_batch')
export class HandledEventBatchEntity {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  seq!: string;

  @Column('text')
  source!: string;

  @Column('uuid', { array: true })
  ids!: string[];

  @Column({ type: 'timestamptz', precision: 3 })
  created_at!: Date;
}

@Entity('dead_event')
@Index('dead_event_due', ['next_attempt_at'])
export class DeadEventEntity {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('text')
  source!: string;

  @Column('bigint')
  position!: string;

  @Column('jsonb')
  event!: object;

  @Column('text')
  error!: string;

  @Column('integer')
  attempts!: number;

  @Column({ type: 'timestamptz', precision: 3 })
  next_attempt_at!: Date;

  @Column({ type: 'timestamptz', precision: 3 })
  created_at!: Date;
}

@Entity('idempotency_record')
@Index('idempotency_record_expiry', ['expires_at'])
export class IdempotencyRecordEntity {
  @PrimaryColumn('text')
  scope!: string;

  @Column('text')
  operation_id!: string;

  @Column('text')
  fingerprint!: string;

  @Column('smallint', { nullable: true })
  status!: number | null;

  @Column('text', { nullable: true })
  body!: string | null;

  @Column('uuid', { nullable: true })
  lease_token!: string | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  lease_until!: Date | null;

  @Column({ type: 'timestamptz', precision: 3 })
  expires_at!: Date;
}

/** Every service lists these beside its own. */
export const foundationEntities = [
  OutboxBatchEntity,
  LoggedEventEntity,
  OutboxEventEntity,
  OutboxHeadEntity,
  OutboxEpochEntity,
  EventPositionEntity,
  EventEpochEntity,
  HandledEventBatchEntity,
  DeadEventEntity,
  IdempotencyRecordEntity,
] as const;
