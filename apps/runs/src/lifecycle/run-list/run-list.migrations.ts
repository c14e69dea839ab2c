import type { MigrationInterface, QueryRunner } from 'typeorm';

export class RunList1760000003200 implements MigrationInterface {
  readonly name = 'RunList1760000003200';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE run_tally (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        team_id uuid NOT NULL,
        agent_id uuid NOT NULL,
        user_id uuid,
        case_queue_id uuid,
        source text NOT NULL,
        status text NOT NULL,
        runs integer NOT NULL
      )`);
    await runner.query(`CREATE INDEX run_tally_team ON run_tally (team_id, agent_id)`);
    await runner.query(
      `CREATE TABLE run_title (run_id uuid PRIMARY KEY, team_id uuid NOT NULL, title text NOT NULL)`,
    );
    // Comes with Postgres and may be created by a database's owner. Where it is not there, searches read more rows.
    await runner.query(`
      DO $$ BEGIN
        IF EXISTS (SELECT FROM pg_available_extensions WHERE name = 'pg_trgm') THEN
          CREATE EXTENSION IF NOT EXISTS pg_trgm SCHEMA public;
          CREATE INDEX run_title_words ON run_title USING gin (title public.gin_trgm_ops);
        END IF;
      END $$`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE run_title, run_tally`);
  }
}
