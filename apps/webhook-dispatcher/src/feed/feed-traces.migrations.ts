import type { MigrationInterface, QueryRunner } from 'typeorm';

/** An event is sent long after it was taken: it keeps which trace it belongs to. */
export class FeedTraces1760000009310 implements MigrationInterface {
  readonly name = 'FeedTraces1760000009310';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE feed_event ADD COLUMN traceparent text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE feed_event DROP COLUMN traceparent');
  }
}
