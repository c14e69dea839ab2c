import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Events that are written once: numbered by their batch, and those of runs beside all others (ADR 29). */
export class OneLog1760000009400 implements MigrationInterface {
  readonly name = 'OneLog1760000009400';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE outbox_batch (
        id bigint PRIMARY KEY,
        size integer NOT NULL,
        after bigint,
        created_at timestamptz(3) NOT NULL DEFAULT clock_timestamp()
      )`);
    await runner.query(`CREATE INDEX outbox_batch_pending ON outbox_batch (id) WHERE after IS NULL`);
    await runner.query(
      `CREATE UNIQUE INDEX outbox_batch_after ON outbox_batch (after) WHERE after IS NOT NULL`,
    );
    await runner.query(`
      CREATE TABLE logged_event (
        batch_id bigint NOT NULL,
        place integer NOT NULL,
        id uuid NOT NULL,
        event text NOT NULL,
        team_id uuid,
        run_id uuid,
        run_seq integer,
        data jsonb NOT NULL,
        meta jsonb NOT NULL,
        created_at timestamptz(3) NOT NULL,
        PRIMARY KEY (batch_id, place)
      )`);
    await runner.query(
      `CREATE UNIQUE INDEX logged_event_run ON logged_event (run_id, run_seq) WHERE run_id IS NOT NULL`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE logged_event, outbox_batch`);
  }
}
