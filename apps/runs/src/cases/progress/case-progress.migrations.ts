import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CaseProgress1760000007140 implements MigrationInterface {
  readonly name = 'CaseProgress1760000007140';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE case_progress (
        scope text PRIMARY KEY,
        fingerprint text NOT NULL,
        state jsonb NOT NULL,
        lease_token uuid NOT NULL,
        lease_until timestamptz(3) NOT NULL,
        updated_at timestamptz(3) NOT NULL
      )`);
    await runner.query('CREATE INDEX case_progress_time ON case_progress (updated_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE case_progress');
  }
}
