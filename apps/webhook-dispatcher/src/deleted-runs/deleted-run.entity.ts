import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A run whose events say nothing any more, also those that come late. */
@Entity('deleted_run')
@Index('deleted_run_due', ['due_at'], { where: 'due_at IS NOT NULL' })
@Index('deleted_run_age', ['deleted_at'])
export class DeletedRunEntity {
  @PrimaryColumn('uuid')
  run_id!: string;

  @Column('uuid')
  team_id!: string;

  @Column({ type: 'timestamptz', precision: 3 })
  deleted_at!: Date;

  /** When its events are to be looked at; null once that is done. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  due_at!: Date | null;

  /** Up to which position of the feed that look has got. */
  @Column('bigint')
  after_position!: string;
}
