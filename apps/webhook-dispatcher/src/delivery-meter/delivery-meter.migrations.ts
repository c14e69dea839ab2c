import type { MigrationInterface, QueryRunner } from 'typeorm';

export class DeliveryMeter1760000007430 implements MigrationInterface {
  readonly name = 'DeliveryMeter1760000007430';

  async up(runner: QueryRunner): Promise<void> {
    // Written with every batch of outcomes: room in the page keeps its updates off the index.
    await runner.query(`
      CREATE TABLE delivery_meter (
        team_id uuid PRIMARY KEY,
        delivered bigint NOT NULL,
        reported bigint NOT NULL
      ) WITH (fillfactor = 50)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE delivery_meter`);
  }
}
