import { createIndexConcurrently } from '@aos/persistence';
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Schedules1760000002300 implements MigrationInterface {
  readonly name = 'Schedules1760000002300';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE schedule (
        id uuid PRIMARY KEY,
        agent_id uuid NOT NULL,
        team_id uuid NOT NULL,
        enabled boolean NOT NULL,
        frequency text NOT NULL,
        time text NOT NULL,
        timezone text NOT NULL,
        day text NOT NULL,
        day_of_month integer NOT NULL,
        cron text,
        recurring boolean NOT NULL,
        message text,
        next_run_at timestamptz(3),
        last_run_at timestamptz(3),
        last_run_id uuid,
        failed_firings integer NOT NULL DEFAULT 0,
        auto_disabled_at timestamptz(3),
        auto_disabled_reason text,
        created_at timestamptz(3) NOT NULL,
        updated_at timestamptz(3) NOT NULL
      )`);
    await runner.query(`CREATE INDEX schedule_agent ON schedule (agent_id, id)`);
    await runner.query(`CREATE INDEX schedule_due ON schedule (next_run_at) WHERE enabled`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE schedule`);
  }
}

/** The runs of a schedule that failed in a row. */
export class FailedRuns1760000005020 implements MigrationInterface {
  readonly name = 'FailedRuns1760000005020';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE schedule RENAME failed_firings TO failed_runs`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE schedule RENAME failed_runs TO failed_firings`);
  }
}

/** How much of its plan a team uses is counted without a look at the schedules of all others. */
export class EnabledOfTeam1760000007600 implements MigrationInterface {
  readonly name = 'EnabledOfTeam1760000007600';
  readonly transaction = false;

  up(runner: QueryRunner): Promise<void> {
    return createIndexConcurrently(runner, {
      name: 'schedule_team',
      table: 'schedule',
      definition: '(team_id, agent_id) WHERE enabled',
    });
  }

  /** TypeORM undoes in a transaction, also what was made without one. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX schedule_team`);
  }
}
