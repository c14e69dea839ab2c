import type { MigrationInterface, QueryRunner } from 'typeorm';

export class StorageMeter1760000007450 implements MigrationInterface {
  readonly name = 'StorageMeter1760000007450';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE storage_report (team_id uuid PRIMARY KEY, bytes bigint NOT NULL)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE storage_report`);
  }
}
