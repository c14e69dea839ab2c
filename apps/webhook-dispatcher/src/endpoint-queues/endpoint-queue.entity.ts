import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/**
 * The deliveries to one receiver: a webhook, or the callbacks of a team at one host. One process works on a queue at a
 * time, and no queue waits for another team's.
 */
@Entity('endpoint_queue')
@Index('endpoint_queue_due', ['team_id', 'due_at'], { where: 'due_at IS NOT NULL' })
export class EndpointQueueEntity {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid')
  team_id!: string;

  /** Null for callbacks. */
  @Column('uuid', { nullable: true })
  subscription_id!: string | null;

  /** When there is something to do next; null when there is nothing. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  due_at!: Date | null;

  /** Counts what was added or changed, so that the sender that ends work on it knows whether something came meanwhile. */
  @Column('bigint')
  wakes!: string;

  @Column('uuid', { nullable: true })
  lease_token!: string | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  lease_until!: Date | null;

  @Column({ type: 'timestamptz', precision: 3 })
  used_at!: Date;
}
