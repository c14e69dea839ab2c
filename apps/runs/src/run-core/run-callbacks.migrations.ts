import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The address that a run's callbacks go to. */
export class RunCallbacks1760000003300 implements MigrationInterface {
  readonly name = 'RunCallbacks1760000003300';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE run ADD COLUMN webhook_url text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE run DROP COLUMN webhook_url');
  }
}
