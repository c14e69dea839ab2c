import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/**
 * A place for files that runs share. One that was made by a client expires unless a run uses it; the own sandbox of a
 * run bears the run's id and has a row once there is something in it.
 */
@Entity('sandbox')
@Index('sandbox_team', ['team_id', 'expires_at'], { where: 'expires_at IS NOT NULL' })
@Index('sandbox_expiry', ['expires_at'], { where: 'expires_at IS NOT NULL' })
export class SandboxEntity {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid')
  team_id!: string;

  @Column('integer')
  files!: number;

  @Column('bigint')
  bytes!: string;

  @Column({ type: 'timestamptz', precision: 3 })
  created_at!: Date;

  /** Null for the own sandbox of a run. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  expires_at!: Date | null;
}

/** A file. Folders are what the paths of files say. */
@Entity('sandbox_file')
@Index('sandbox_file_changed', ['sandbox_id', 'updated_at'])
export class SandboxFileEntity {
  @PrimaryColumn('uuid')
  sandbox_id!: string;

  @PrimaryColumn('text', { collation: 'C' })
  path!: string;

  /** Names its bytes in the file store. */
  @Column('text')
  key!: string;

  @Column('bigint')
  size_bytes!: string;

  @Column('text')
  sha256!: string;

  @Column({ type: 'timestamptz', precision: 3 })
  updated_at!: Date;
}

/** Bytes that belong to no file: not yet, or no longer. What is due is deleted. */
@Entity('file_garbage')
@Index('file_garbage_due', ['due_at'])
export class FileGarbageEntity {
  @PrimaryColumn('text')
  key!: string;

  @Column({ type: 'timestamptz', precision: 3 })
  due_at!: Date;

  /** Since when a sweep is deleting it; from then on it cannot become a file. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  taken_at!: Date | null;
}
