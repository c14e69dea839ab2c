import { Column, Entity, Index, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';

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

export const inboxEntities = [
  EventPositionEntity,
  EventEpochEntity,
  HandledEventBatchEntity,
  DeadEventEntity,
] as const;
