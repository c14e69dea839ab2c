import type { MigrationInterface, QueryRunner } from 'typeorm';

export class EvalRubrics1760000002100 implements MigrationInterface {
  readonly name = 'EvalRubrics1760000002100';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE eval_rubric (
        id uuid PRIMARY KEY,
        team_id uuid NOT NULL,
        build_id uuid NOT NULL,
        slug text NOT NULL,
        title text NOT NULL,
        description text NOT NULL,
        severity text NOT NULL,
        sort_order integer NOT NULL,
        version integer NOT NULL,
        created_at timestamptz(3) NOT NULL,
        updated_at timestamptz(3) NOT NULL
      )`);
    await runner.query(`CREATE UNIQUE INDEX eval_rubric_slug ON eval_rubric (build_id, slug)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE eval_rubric`);
  }
}
