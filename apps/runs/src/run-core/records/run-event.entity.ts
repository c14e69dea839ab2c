import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The public events of a run as the version before stores them; those of today are in the log. */
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
