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

/** What is called an endpoint queue was called a lane. */
export class EndpointQueues1760000005010 implements MigrationInterface {
  readonly name = 'EndpointQueues1760000005010';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE delivery_lane RENAME TO endpoint_queue`);
    await runner.query(`ALTER INDEX delivery_lane_pkey RENAME TO endpoint_queue_pkey`);
    await runner.query(`ALTER INDEX delivery_lane_due RENAME TO endpoint_queue_due`);
    await runner.query(`ALTER TABLE delivery RENAME lane_id TO queue_id`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE delivery RENAME queue_id TO lane_id`);
    await runner.query(`ALTER INDEX endpoint_queue_due RENAME TO delivery_lane_due`);
    await runner.query(`ALTER INDEX endpoint_queue_pkey RENAME TO delivery_lane_pkey`);
    await runner.query(`ALTER TABLE endpoint_queue RENAME TO delivery_lane`);
  }
}
