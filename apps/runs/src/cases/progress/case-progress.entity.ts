import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** How far a request has got that works in batches; gone when it has its answer. */
@Entity('case_progress')
@Index('case_progress_time', ['updated_at'])
export class CaseProgressEntity {
  /** The Idempotency-Key's. */
  @PrimaryColumn('text')
  scope!: string;

  @Column('text')
  fingerprint!: string;

  @Column('jsonb')
  state!: object;

  @Column('uuid')
  lease_token!: string;

  @Column({ type: 'timestamptz', precision: 3 })
  lease_until!: Date;

  @Column({ type: 'timestamptz', precision: 3 })
  updated_at!: Date;
}
