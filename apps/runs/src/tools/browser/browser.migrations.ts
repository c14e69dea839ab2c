import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Browser1760000003700 implements MigrationInterface {
  readonly name = 'Browser1760000003700';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE browser_session (
        id uuid PRIMARY KEY,
        run_id uuid NOT NULL,
        team_id uuid NOT NULL,
        started_at timestamptz(3) NOT NULL
      )`);
    await runner.query(`
      CREATE TABLE browser_page (
        id uuid PRIMARY KEY,
        session_id uuid NOT NULL,
        url text NOT NULL,
        title text NOT NULL,
        opened_at timestamptz(3) NOT NULL,
        closed_at timestamptz(3)
      )`);
    await runner.query('CREATE INDEX browser_page_session ON browser_page (session_id, opened_at)');
    await runner.query(`
      CREATE TABLE screenshot (
        id uuid PRIMARY KEY,
        run_id uuid NOT NULL,
        session_id uuid NOT NULL,
        page_id uuid NOT NULL,
        url text NOT NULL,
        title text NOT NULL,
        action text NOT NULL,
        captured_at timestamptz(3) NOT NULL,
        width integer NOT NULL,
        height integer NOT NULL,
        file_path text NOT NULL
      )`);
    await runner.query('CREATE INDEX screenshot_run ON screenshot (run_id, id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE screenshot, browser_page, browser_session');
  }
}
