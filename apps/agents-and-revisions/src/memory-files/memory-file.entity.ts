import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('memory_file')
export class MemoryFileEntity {
  @PrimaryColumn('uuid')
  agent_id!: string;

  @PrimaryColumn('text')
  path!: string;

  @Column('uuid')
  team_id!: string;

  @Column('text')
  content!: string;

  @Column('integer')
  size_bytes!: number;

  /** Null: a person wrote it through the interface. */
  @Column('uuid', { nullable: true })
  source_run_id!: string | null;

  /** The credential that wrote it; null: a run, or nobody knows. */
  @Column('uuid', { nullable: true })
  source_user_id!: string | null;

  /** The number of its latest write among those of its agent; null until a file of before is looked at. */
  @Column('integer', { nullable: true })
  generation!: number | null;

  @Column({ type: 'timestamptz', precision: 3 })
  updated_at!: Date;
}

/** The numbers that writes to the memory of an agent have got. It outlives the files, so that none is used again. */
@Entity('memory_counter')
export class MemoryCounterEntity {
  @PrimaryColumn('uuid')
  agent_id!: string;

  @Column('integer')
  last!: number;
}
