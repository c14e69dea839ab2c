import type { MigrationInterface, QueryRunner } from 'typeorm';

export class TeamLimits1760000007440 implements MigrationInterface {
  readonly name = 'TeamLimits1760000007440';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE team_budget (
        team_id uuid PRIMARY KEY,
        max_runs bigint,
        stops boolean NOT NULL,
        tokens_used_up_until timestamptz(3)
      )`);
    // One row for each team that has a limit, written with each of its starts.
    await runner.query(`
      CREATE TABLE month_starts (
        team_id uuid NOT NULL,
        month date NOT NULL,
        starts bigint NOT NULL,
        PRIMARY KEY (team_id, month)
      ) WITH (fillfactor = 50)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE month_starts, team_budget`);
  }
}
