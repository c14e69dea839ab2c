import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { Counter } from './counters.js';

/** The counters of a row; bigint, and so text. */
abstract class CountersEntity implements Record<Counter, string> {
  @Column('bigint')
  runs_started!: string;

  @Column('bigint')
  runs_reopened!: string;

  @Column('bigint')
  runs_completed!: string;

  @Column('bigint')
  runs_failed!: string;

  @Column('bigint')
  runs_stopped!: string;

  @Column('bigint')
  active_ms!: string;

  @Column('bigint')
  messages!: string;

  @Column('bigint')
  tool_calls!: string;

  @Column('bigint')
  input_tokens!: string;

  @Column('bigint')
  output_tokens!: string;

  @Column('bigint')
  human_requests!: string;

  @Column('bigint')
  webhook_deliveries!: string;

  @Column('bigint')
  mcp_calls!: string;
}

/**
 * The usage of one agent with one model on one day, from one batch of events. The ID is that of the first event, since
 * IDs grow with time.
 */
@Entity('usage_record')
@Index('usage_record_day', ['day', 'team_id'])
export class UsageRecordEntity extends CountersEntity {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid')
  team_id!: string;

  @Column('uuid', { nullable: true })
  agent_id!: string | null;

  /** Empty where no model was used. */
  @Column('text')
  model!: string;

  /** The day on which it happened, UTC, however late it was heard of. */
  @Column('date')
  day!: string;
}

/** The usage of a team on one day, UTC, with one model; an empty one for what no model has used. */
@Entity('daily_usage')
export class DailyUsageEntity extends CountersEntity {
  @PrimaryColumn('uuid')
  team_id!: string;

  @PrimaryColumn('date')
  day!: string;

  @PrimaryColumn('text')
  model!: string;
}

/** The usage of an agent in one month, named by its first day, with one model. */
@Entity('monthly_agent_usage')
export class MonthlyAgentUsageEntity extends CountersEntity {
  @PrimaryColumn('uuid')
  team_id!: string;

  @PrimaryColumn('date')
  month!: string;

  @PrimaryColumn('uuid')
  agent_id!: string;

  @PrimaryColumn('text')
  model!: string;
}

/** The name of an agent as its latest run knew it. */
@Entity('metered_agent')
export class MeteredAgentEntity {
  @PrimaryColumn('uuid')
  agent_id!: string;

  @Column('text')
  name!: string;
}

@Entity('team_storage')
export class TeamStorageEntity {
  @PrimaryColumn('uuid')
  team_id!: string;

  @Column('bigint')
  bytes!: string;

  @Column({ type: 'timestamptz', precision: 3 })
  measured_at!: Date;
}
