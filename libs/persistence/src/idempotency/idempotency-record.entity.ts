import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

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
