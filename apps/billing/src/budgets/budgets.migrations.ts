import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Budgets1760000007420 implements MigrationInterface {
  readonly name = 'Budgets1760000007420';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE budget (
        team_id uuid PRIMARY KEY,
        max_tokens bigint,
        max_runs bigint,
        on_reached text NOT NULL,
        period date NOT NULL,
        is_warned boolean NOT NULL,
        is_reached boolean NOT NULL,
        are_tokens_used_up boolean NOT NULL,
        updated_at timestamptz(3) NOT NULL
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE budget`);
  }
}
