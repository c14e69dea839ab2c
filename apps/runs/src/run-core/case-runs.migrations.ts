import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Runs that work on a case. A run without one is in neither index. */
export class CaseRuns1760000007100 implements MigrationInterface {
  readonly name = 'CaseRuns1760000007100';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE run ADD COLUMN case_title text, ADD COLUMN case_queue_name text');
    await runner.query('CREATE INDEX run_case ON run (case_id, created_at, id) WHERE case_id IS NOT NULL');
    await runner.query(
      `CREATE INDEX run_case_open ON run (team_id, agent_id) WHERE case_id IS NOT NULL AND status IN ('pending', 'running')`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX run_case_open, run_case');
    await runner.query('ALTER TABLE run DROP COLUMN case_queue_name, DROP COLUMN case_title');
  }
}
