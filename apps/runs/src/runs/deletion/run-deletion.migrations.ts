import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The browser sessions of a run are found by the run. */
export class RunDeletion1760000003900 implements MigrationInterface {
  readonly name = 'RunDeletion1760000003900';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE INDEX browser_session_run ON browser_session (run_id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX browser_session_run');
  }
}
