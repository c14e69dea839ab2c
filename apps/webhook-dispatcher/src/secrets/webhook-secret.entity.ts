import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The sealed signing secret of a team. */
@Entity('webhook_secret')
export class WebhookSecretEntity {
  @PrimaryColumn('uuid')
  team_id!: string;

  @Column('text')
  sealed!: string;

  @Column({ type: 'timestamptz', precision: 3 })
  created_at!: Date;

  /** The one before, as long as it signs too. */
  @Column('text', { nullable: true })
  previous_sealed!: string | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  previous_expires_at!: Date | null;
}
