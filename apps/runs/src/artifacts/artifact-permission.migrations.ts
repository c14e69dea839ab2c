import type { MigrationInterface, QueryRunner } from 'typeorm';

export class ArtifactPermission1760000009800 implements MigrationInterface {
  readonly name = 'ArtifactPermission1760000009800';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE artifact ADD COLUMN permission text NOT NULL DEFAULT 'view'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE artifact DROP COLUMN permission');
  }
}
