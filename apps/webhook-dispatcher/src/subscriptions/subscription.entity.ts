import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

@Entity('webhook_subscription')
@Index('webhook_subscription_team', ['team_id', 'id'])
export class SubscriptionEntity {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid')
  team_id!: string;

  @Column('text')
  url!: string;

  @Column('text', { array: true })
  events!: string[];

  @Column('boolean')
  enabled!: boolean;

  @Column('text', { nullable: true })
  disabled_reason!: string | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  last_delivery_at!: Date | null;

  /** Attempts that failed since the last that did not. */
  @Column('integer')
  consecutive_failures!: number;

  /** When the first of them was. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  failing_since!: Date | null;

  @Column({ type: 'timestamptz', precision: 3 })
  created_at!: Date;

  @Column({ type: 'timestamptz', precision: 3 })
  updated_at!: Date;
}
