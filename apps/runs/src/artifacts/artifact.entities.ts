import type { AnsweredQuestion } from '@aos/agent-runtime';
import type {
  ArtifactPermission,
  ArtifactRefreshFrequency,
  ArtifactRevisionSource,
  ArtifactStatus,
  ArtifactVisibility,
  Question,
} from '@aos/contracts';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

export type ArtifactRequest = Extract<ArtifactRevisionSource, 'message' | 'refresh'>;

/** An artifact: what it is, who may see it, and how far the making of its next page has got. */
@Entity('artifact')
@Index('artifact_team', ['team_id', 'created_at', 'id'])
@Index('artifact_public_token', ['public_token'], { unique: true, where: 'public_token IS NOT NULL' })
@Index('artifact_to_do', ['id'], { where: `status IN ('pending', 'running')` })
@Index('artifact_due', ['next_refresh_at'], { where: 'next_refresh_at IS NOT NULL' })
export class ArtifactEntity {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid')
  team_id!: string;

  /** The credential that made it. */
  @Column('text')
  made_by!: string;

  @Column('text', { nullable: true })
  title!: string | null;

  @Column('text')
  status!: ArtifactStatus;

  @Column('text')
  visibility!: ArtifactVisibility;

  @Column('text', { default: 'view' })
  permission!: ArtifactPermission;

  @Column('text')
  model!: string;

  @Column('text', { nullable: true })
  refresh_frequency!: ArtifactRefreshFrequency | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  last_refresh_at!: Date | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  next_refresh_at!: Date | null;

  /** How many refreshes by itself have failed since the last that did not. */
  @Column('integer', { default: 0 })
  failed_refreshes!: number;

  @Column('integer', { nullable: true })
  current_version!: number | null;

  /** The end of its public address. As readable as the page that it leads to. */
  @Column('text', { nullable: true })
  public_token!: string | null;

  @Column('jsonb', { nullable: true })
  pending_user_questions!: { questions: Question[] } | null;

  /** To what was asked since the last message; a refresh asks it no more. */
  @Column('jsonb')
  answers!: AnsweredQuestion[];

  @Column('jsonb', { nullable: true })
  error!: { code: string; message: string } | null;

  /** The source of the last request; null until there is one. */
  @Column('text', { nullable: true })
  request!: ArtifactRequest | null;

  /** Whether it was its own frequency that asked. */
  @Column('boolean', { default: false })
  is_scheduled!: boolean;

  /** Attempts at the page under way that ended with an error which may pass, or with a dead worker. */
  @Column('integer', { default: 0 })
  attempts!: number;

  /** The job in Redis that is to carry it on; a new one for each request. */
  @Column('uuid')
  job_id!: string;

  /** Its worker writes only while this is its own. */
  @Column('uuid', { nullable: true })
  lease_token!: string | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  lease_until!: Date | null;

  @Column({ type: 'timestamptz', precision: 3 })
  created_at!: Date;

  @Column({ type: 'timestamptz', precision: 3 })
  updated_at!: Date;
}

@Entity('artifact_message')
@Index('artifact_message_order', ['artifact_id', 'seq'], { unique: true })
export class ArtifactMessageEntity {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid')
  artifact_id!: string;

  /** Its place: 1, 2, 3 … */
  @Column('integer')
  seq!: number;

  @Column('text')
  role!: 'user' | 'assistant';

  @Column('text')
  content!: string;

  /** To a question, and so no instruction. */
  @Column('boolean', { default: false })
  is_answer!: boolean;

  @Column({ type: 'timestamptz', precision: 3 })
  created_at!: Date;
}

/** A page as it was made; it never changes. */
@Entity('artifact_revision')
@Index('artifact_revision_version', ['artifact_id', 'version'], { unique: true })
export class ArtifactRevisionEntity {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid')
  artifact_id!: string;

  @Column('integer')
  version!: number;

  @Column('text')
  title!: string;

  /** The sanitized body of the document. */
  @Column('text')
  body!: string;

  @Column('integer')
  size_bytes!: number;

  @Column('text')
  source!: ArtifactRevisionSource;

  @Column('integer', { nullable: true })
  restored_version!: number | null;

  @Column({ type: 'timestamptz', precision: 3 })
  created_at!: Date;
}

/** A connection whose tools an artifact may read with. */
@Entity('artifact_connection')
export class ArtifactConnectionEntity {
  @PrimaryColumn('uuid')
  artifact_id!: string;

  @PrimaryColumn('uuid')
  connection_id!: string;

  @Column({ type: 'timestamptz', precision: 3 })
  created_at!: Date;
}
