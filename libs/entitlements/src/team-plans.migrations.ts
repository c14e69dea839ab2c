import type { MigrationInterface, QueryRunner } from 'typeorm';

export class TeamPlans1760000007400 implements MigrationInterface {
  readonly name = 'TeamPlans1760000007400';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE team_plan (team_id uuid PRIMARY KEY, plan text NOT NULL)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE team_plan`);
  }
}
