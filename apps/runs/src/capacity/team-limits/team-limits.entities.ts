import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A copy of what billing holds a team to. A team without a row has no budget. */
@Entity('team_budget')
export class TeamBudgetEntity {
  @PrimaryColumn('uuid')
  team_id!: string;

  /** Runs that may start in a month; null is without a limit. */
  @Column('bigint', { nullable: true })
  max_runs!: string | null;

  /** Whether no run starts past the budget, or people are only told. */
  @Column('boolean')
  stops!: boolean;

  /** The end of the month whose tokens are used up. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  tokens_used_up_until!: Date | null;
}

/** How many runs of a team have started in a month. Only those of teams with a limit are counted. */
@Entity('month_starts')
export class MonthStartsEntity {
  @PrimaryColumn('uuid')
  team_id!: string;

  /** Its first day, UTC. */
  @PrimaryColumn('date')
  month!: string;

  @Column('bigint')
  starts!: string;
}
