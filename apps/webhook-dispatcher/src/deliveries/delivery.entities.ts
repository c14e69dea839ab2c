import type { DeliveryStatus } from '@aos/contracts';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** One event for one receiver. The id of an event begins with its time, so the key lists them by age. */
@Entity('delivery')
@Index('delivery_status', ['target_id', 'status', 'event_id'])
@Index('delivery_due', ['queue_id', 'next_attempt_at', 'position'], { where: `status = 'pending'` })
@Index('delivery_age', ['created_at'])
export class DeliveryEntity {
  /** The webhook, or the run whose callback it is. */
  @PrimaryColumn('uuid')
  target_id!: string;

  @PrimaryColumn('uuid')
  event_id!: string;

  @Column('uuid')
  team_id!: string;

  /** The position of its envelope in the team's feed. */
  @Column('bigint')
  position!: string;

  @Column('uuid')
  queue_id!: string;

  @Column('text')
  event!: string;

  /** The URL of a callback; a webhook's URL is read when it is sent. */
  @Column('text', { nullable: true })
  url!: string | null;

  @Column('text')
  status!: DeliveryStatus;

  @Column('integer')
  attempts!: number;

  /** Attempts before the last redelivery, which restarted the schedule. */
  @Column('integer')
  attempts_before!: number;

  /** Null unless it is pending. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  next_attempt_at!: Date | null;

  @Column({ type: 'timestamptz', precision: 3 })
  created_at!: Date;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  delivered_at!: Date | null;
}

@Entity('delivery_attempt')
export class DeliveryAttemptEntity {
  @PrimaryColumn('uuid')
  target_id!: string;

  @PrimaryColumn('uuid')
  event_id!: string;

  @PrimaryColumn('integer')
  number!: number;

  @Column({ type: 'timestamptz', precision: 3 })
  attempted_at!: Date;

  @Column('integer', { nullable: true })
  status_code!: number | null;

  @Column('integer')
  duration_ms!: number;

  @Column('text', { nullable: true })
  error!: string | null;

  @Column('text', { nullable: true })
  response_body!: string | null;
}

/** How many deliveries a webhook has in each status: a list tells its total without counting a million rows. */
@Entity('delivery_count')
export class DeliveryCountEntity {
  @PrimaryColumn('uuid')
  target_id!: string;

  @PrimaryColumn('text')
  status!: DeliveryStatus;

  @Column('bigint')
  deliveries!: string;
}

/** A wish to send again what was sent in a time; carried out in batches. */
@Entity('delivery_replay')
export class DeliveryReplayEntity {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid')
  team_id!: string;

  @Column('uuid')
  target_id!: string;

  @Column({ type: 'timestamptz', precision: 3 })
  since!: Date;

  @Column({ type: 'timestamptz', precision: 3 })
  until!: Date;

  @Column('boolean')
  only_dead!: boolean;

  /** How far it has got. */
  @Column('uuid', { nullable: true })
  after_event_id!: string | null;
}
