import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CaseTools1760000007160 implements MigrationInterface {
  readonly name = 'CaseTools1760000007160';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE case_call (
        run_id uuid NOT NULL,
        call_id text NOT NULL,
        result jsonb NOT NULL,
        PRIMARY KEY (run_id, call_id)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE case_call');
  }
}
