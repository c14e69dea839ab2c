import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What is due is looked for team by team. */
export class LanesOfTeams1760000004200 implements MigrationInterface {
  readonly name = 'LanesOfTeams1760000004200';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX delivery_lane_due`);
    await runner.query(
      `CREATE INDEX delivery_lane_due ON delivery_lane (team_id, due_at) WHERE due_at IS NOT NULL`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX delivery_lane_due`);
    await runner.query(`CREATE INDEX delivery_lane_due ON delivery_lane (due_at) WHERE due_at IS NOT NULL`);
  }
}
