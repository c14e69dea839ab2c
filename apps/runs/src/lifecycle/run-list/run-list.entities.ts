import type { RunSource, RunStatus } from '@aos/contracts';
import { Column, Entity, Index, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';

/**
 * How many runs have ended, as a ledger: each batch of ends adds rows, no end waits for another, and a sweep compacts
 * rows of one kind into one. The sum is exact at every moment. Open runs are counted where they are.
 */
@Entity('run_tally')
@Index('run_tally_team', ['team_id', 'agent_id'])
export class RunTallyEntity {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  id!: string;

  @Column('uuid')
  team_id!: string;

  @Column('uuid')
  agent_id!: string;

  @Column('uuid', { nullable: true })
  user_id!: string | null;

  @Column('uuid', { nullable: true })
  case_queue_id!: string | null;

  @Column('text')
  source!: RunSource;

  @Column('text')
  status!: RunStatus;

  @Column('integer')
  runs!: number;
}

/** The titles of runs, apart from them: runs change often, and an index of words is dear to change. */
@Entity('run_title')
@Index('run_title_words', { synchronize: false })
export class RunTitleEntity {
  @PrimaryColumn('uuid')
  run_id!: string;

  @Column('uuid')
  team_id!: string;

  /** As `searchable` makes it. */
  @Column('text')
  title!: string;
}
