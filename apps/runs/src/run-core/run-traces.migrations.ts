import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A run is worked on long after the request that has started it: it keeps which trace that was. */
export class RunTraces1760000009300 implements MigrationInterface {
  readonly name = 'RunTraces1760000009300';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE run ADD COLUMN traceparent text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE run DROP COLUMN traceparent');
  }
}
