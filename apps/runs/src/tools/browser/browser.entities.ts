import type { browserActions } from '@aos/contracts';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

export type BrowserAction = (typeof browserActions)[number];

/** A browser that a run had open. */
@Entity('browser_session')
@Index('browser_session_run', ['run_id'])
export class BrowserSessionEntity {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid')
  run_id!: string;

  @Column('uuid')
  team_id!: string;

  @Column({ type: 'timestamptz', precision: 3 })
  started_at!: Date;
}

@Entity('browser_page')
@Index('browser_page_session', ['session_id', 'opened_at'])
export class BrowserPageEntity {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid')
  session_id!: string;

  @Column('text')
  url!: string;

  @Column('text')
  title!: string;

  @Column({ type: 'timestamptz', precision: 3 })
  opened_at!: Date;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  closed_at!: Date | null;
}

@Entity('screenshot')
@Index('screenshot_run', ['run_id', 'id'])
export class ScreenshotEntity {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid')
  run_id!: string;

  @Column('uuid')
  session_id!: string;

  @Column('uuid')
  page_id!: string;

  @Column('text')
  url!: string;

  @Column('text')
  title!: string;

  @Column('text')
  action!: BrowserAction;

  @Column({ type: 'timestamptz', precision: 3 })
  captured_at!: Date;

  @Column('integer')
  width!: number;

  @Column('integer')
  height!: number;

  @Column('text')
  file_path!: string;
}
