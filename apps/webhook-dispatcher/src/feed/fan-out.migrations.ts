import type { MigrationInterface, QueryRunner } from 'typeorm';

export class FanOut1760000004100 implements MigrationInterface {
  readonly name = 'FanOut1760000004100';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE feed_head ADD COLUMN behind boolean NOT NULL DEFAULT false`);
    await runner.query(`
      CREATE TABLE feed_fanout (
        team_id uuid PRIMARY KEY,
        position bigint NOT NULL,
        served_at timestamptz
      ) WITH (fillfactor = 50)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE feed_fanout`);
    await runner.query(`ALTER TABLE feed_head DROP COLUMN behind`);
  }
}
