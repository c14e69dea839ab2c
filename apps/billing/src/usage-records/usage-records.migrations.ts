import type { MigrationInterface, QueryRunner } from 'typeorm';

const counters = `
  runs_started bigint NOT NULL,
  runs_reopened bigint NOT NULL,
  runs_completed bigint NOT NULL,
  runs_failed bigint NOT NULL,
  runs_stopped bigint NOT NULL,
  active_ms bigint NOT NULL,
  messages bigint NOT NULL,
  tool_calls bigint NOT NULL,
  input_tokens bigint NOT NULL,
  output_tokens bigint NOT NULL,
  human_requests bigint NOT NULL,
  webhook_deliveries bigint NOT NULL,
  mcp_calls bigint NOT NULL`;

export class UsageRecords1760000007410 implements MigrationInterface {
  readonly name = 'UsageRecords1760000007410';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE usage_record (
        id uuid PRIMARY KEY,
        team_id uuid NOT NULL,
        agent_id uuid,
        model text NOT NULL,
        day date NOT NULL,
        ${counters}
      )`);
    await runner.query(`CREATE INDEX usage_record_day ON usage_record (day, team_id)`);
    // Sums of a day are written again and again: room in the page keeps their updates off the index.
    await runner.query(`
      CREATE TABLE daily_usage (
        team_id uuid NOT NULL,
        day date NOT NULL,
        model text NOT NULL,
        ${counters},
        PRIMARY KEY (team_id, day, model)
      ) WITH (fillfactor = 70)`);
    await runner.query(`
      CREATE TABLE monthly_agent_usage (
        team_id uuid NOT NULL,
        month date NOT NULL,
        agent_id uuid NOT NULL,
        model text NOT NULL,
        ${counters},
        PRIMARY KEY (team_id, month, agent_id, model)
      ) WITH (fillfactor = 70)`);
    await runner.query(`CREATE TABLE metered_agent (agent_id uuid PRIMARY KEY, name text NOT NULL)`);
    await runner.query(`
      CREATE TABLE team_storage (
        team_id uuid PRIMARY KEY,
        bytes bigint NOT NULL,
        measured_at timestamptz(3) NOT NULL
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      `DROP TABLE team_storage, metered_agent, monthly_agent_usage, daily_usage, usage_record`,
    );
  }
}
