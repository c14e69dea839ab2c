import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * How runs were judged. The statement that ends a run makes its row, and reading a run looks here, so that judging
 * need not rewrite the run and its many indexes.
 */
export class Evaluations1760000003500 implements MigrationInterface {
  readonly name = 'Evaluations1760000003500';

  async up(runner: QueryRunner): Promise<void> {
    // Every row is rewritten once, and then read for good. Vacuumed often, so that scores are read from the index.
    await runner.query(`
      CREATE TABLE run_evaluation (
        run_id uuid PRIMARY KEY,
        id uuid NOT NULL,
        team_id uuid NOT NULL,
        agent_id uuid NOT NULL,
        build_id uuid NOT NULL,
        status text NOT NULL,
        attempts integer NOT NULL,
        due_at timestamptz(3) NOT NULL,
        token uuid,
        ended_at timestamptz(3) NOT NULL,
        created_at timestamptz(3) NOT NULL,
        passed integer NOT NULL,
        total integer NOT NULL,
        has_issues boolean,
        custom_issues boolean,
        results jsonb NOT NULL
      ) WITH (autovacuum_vacuum_scale_factor = 0.02)`);
    await runner.query(
      `CREATE INDEX run_evaluation_due ON run_evaluation (due_at) WHERE status = 'in_progress'`,
    );
    // What follows the time is there to be read, not to be sorted by.
    await runner.query(
      `CREATE INDEX run_evaluation_agent
           ON run_evaluation (team_id, agent_id, ended_at, build_id, has_issues, custom_issues)
        WHERE status = 'ready'`,
    );
    await runner.query(
      `CREATE INDEX run_evaluation_build ON run_evaluation (team_id, build_id, has_issues) WHERE status = 'ready'`,
    );
    await runner.query('ALTER TABLE run DROP COLUMN eval_summary');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE run ADD COLUMN eval_summary jsonb');
    await runner.query('DROP TABLE run_evaluation');
  }
}
