import type { CaseActor, CaseEventType, CaseStatus } from '@aos/contracts';
import { Column, Entity, Index, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';

const free = `status = 'pending' AND claimed_by_run_id IS NULL`;

/**
 * A case of a queue. The two first indexes give pages of lists in order, one branch for each status and rank; the others
 * hold only what is open: what can be taken, in the order in which it is, what comes back, and what is being worked on.
 */
@Entity('queue_case')
@Index('queue_case_created', ['queue_id', 'status', 'rank', 'created_at', 'id'])
@Index('queue_case_updated', ['queue_id', 'status', 'rank', 'updated_at', 'id'])
@Index('queue_case_ready', ['queue_id', 'rank', 'created_at', 'id'], {
  where: `${free} AND postponed_to IS NULL`,
})
@Index('queue_case_postponed', ['queue_id', 'postponed_to', 'id'], {
  where: `${free} AND postponed_to IS NOT NULL`,
})
@Index('queue_case_claimed', ['queue_id', 'created_at', 'id'], {
  where: `status = 'pending' AND claimed_by_run_id IS NOT NULL`,
})
export class CaseEntity {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid')
  team_id!: string;

  @Column('uuid')
  queue_id!: string;

  @Column('text')
  title!: string;

  @Column('jsonb')
  data!: unknown;

  @Column('text')
  status!: CaseStatus;

  /** The more urgent, the lower: cases are taken in the order of an index. */
  @Column('smallint')
  rank!: number;

  /** The run that works on it, or that has settled it. */
  @Column('uuid', { nullable: true })
  claimed_by_run_id!: string | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  claimed_at!: Date | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  postponed_to!: Date | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  completed_at!: Date | null;

  /** The pending human request of its run. */
  @Column('uuid', { nullable: true })
  pending_human_request_id!: string | null;

  /** The agent that it is for, until a run takes it; null: any whose trigger serves the queue. */
  @Column('uuid', { nullable: true })
  reserved_agent_id!: string | null;

  @Column({ type: 'timestamptz', precision: 3 })
  created_at!: Date;

  @Column({ type: 'timestamptz', precision: 3 })
  updated_at!: Date;
}

/** The searched text lies in a table of its own: cases change often, and its index is expensive to update. */
@Entity('case_text')
@Index('case_text_words', { synchronize: false })
@Index('case_text_letters', { synchronize: false })
export class CaseTextEntity {
  @PrimaryColumn('uuid')
  case_id!: string;

  @Column('uuid')
  queue_id!: string;

  /** As `caseText` makes it. */
  @Column('text')
  text!: string;
}

@Entity('case_event')
@Index('case_event_case', ['case_id', 'created_at', 'id'])
export class CaseEventEntity {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid')
  case_id!: string;

  @Column('text')
  type!: CaseEventType;

  @Column('jsonb')
  actor!: CaseActor;

  @Column('text', { nullable: true })
  reason!: string | null;

  @Column({ type: 'timestamptz', precision: 3 })
  created_at!: Date;
}

/** How many cases there are, as a ledger: what happens to cases adds rows, and a sweep makes one of those of a kind. */
@Entity('case_tally')
@Index('case_tally_queue', ['queue_id'])
export class CaseTallyEntity {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  id!: string;

  @Column('uuid')
  queue_id!: string;

  @Column('text')
  status!: CaseStatus;

  @Column('smallint')
  rank!: number;

  @Column('integer')
  cases!: number;
}
