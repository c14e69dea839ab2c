import type { MigrationInterface, QueryRunner } from 'typeorm';

export class ArtifactConnections1760000007510 implements MigrationInterface {
  readonly name = 'ArtifactConnections1760000007510';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE artifact_connection (
        artifact_id uuid NOT NULL,
        connection_id uuid NOT NULL,
        created_at timestamptz(3) NOT NULL,
        PRIMARY KEY (artifact_id, connection_id)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE artifact_connection`);
  }
}
