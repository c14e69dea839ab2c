import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The public events of a run, for streams that resume: kept as long as the run, unlike the outbox. */
@Entity('run_event')
export class RunEventEntity {
  @PrimaryColumn('uuid')
  run_id!: string;

  @PrimaryColumn('integer')
  seq!: number;

  @Column('uuid')
  id!: string;

  @Column('text')
  event!: string;

  @Column('jsonb')
  data!: Record<string, unknown>;

  @Column({ type: 'timestamptz', precision: 3 })
  created_at!: Date;
}
