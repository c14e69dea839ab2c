import { Column, Entity, Index, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';

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
  OutboxEventEntity,
  OutboxHeadEntity,
  EventPositionEntity,
  DeadEventEntity,
  IdempotencyRecordEntity,
] as const;
