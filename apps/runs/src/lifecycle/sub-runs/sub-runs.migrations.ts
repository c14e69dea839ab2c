import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Runs that a tool call of another run has started. */
export class SubRuns1760000003600 implements MigrationInterface {
  readonly name = 'SubRuns1760000003600';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'ALTER TABLE run ADD COLUMN parent_run_id uuid, ADD COLUMN parent_call_id text, ADD COLUMN depth integer NOT NULL DEFAULT 0',
    );
    await runner.query(
      'CREATE UNIQUE INDEX run_parent ON run (parent_run_id, parent_call_id) WHERE parent_run_id IS NOT NULL',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX run_parent');
    await runner.query(
      'ALTER TABLE run DROP COLUMN depth, DROP COLUMN parent_call_id, DROP COLUMN parent_run_id',
    );
  }
}
