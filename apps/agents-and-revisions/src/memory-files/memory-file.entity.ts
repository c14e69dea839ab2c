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

  @Column({ type: 'timestamptz', precision: 3 })
  updated_at!: Date;
}
