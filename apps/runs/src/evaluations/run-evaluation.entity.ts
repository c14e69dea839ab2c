import type { Evaluation, RubricResult } from '@aos/contracts';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A result with the name under which scores count it, whatever build its rubric is of. */
export type StoredResult = RubricResult & { readonly slug?: string };

/** How a run was judged, as it was when it last ended. */
@Entity('run_evaluation')
@Index('run_evaluation_due', ['due_at'], { where: `status = 'in_progress'` })
@Index(
  'run_evaluation_agent',
  ['team_id', 'agent_id', 'ended_at', 'build_id', 'has_issues', 'custom_issues'],
  { where: `status = 'ready'` },
)
@Index('run_evaluation_build', ['team_id', 'build_id', 'has_issues'], { where: `status = 'ready'` })
export class RunEvaluationEntity {
  @PrimaryColumn('uuid')
  run_id!: string;

  @Column('uuid')
  id!: string;

  @Column('uuid')
  team_id!: string;

  @Column('uuid')
  agent_id!: string;

  @Column('uuid')
  build_id!: string;

  @Column('text')
  status!: Evaluation['status'];

  /** How often a judge has taken it since the run ended. */
  @Column('integer')
  attempts!: number;

  /** When it is to be looked at: to be judged, to be judged again, or to be taken from a worker that died. */
  @Column({ type: 'timestamptz', precision: 3 })
  due_at!: Date;

  /** The fencing token of the worker that judges it; null while it waits in the queue. */
  @Column('uuid', { nullable: true })
  token!: string | null;

  @Column({ type: 'timestamptz', precision: 3 })
  ended_at!: Date;

  @Column({ type: 'timestamptz', precision: 3 })
  created_at!: Date;

  @Column('integer')
  passed!: number;

  @Column('integer')
  total!: number;

  @Column('boolean', { nullable: true })
  has_issues!: boolean | null;

  /** Null where no custom rubric was judged. */
  @Column('boolean', { nullable: true })
  custom_issues!: boolean | null;

  @Column('jsonb')
  results!: StoredResult[];
}
