import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The tables that every service has: its event log, what it has consumed, and its idempotency records. */
export class Foundation1760000000000 implements MigrationInterface {
  readonly name = 'Foundation1760000000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE outbox_event (
        seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        id uuid NOT NULL,
        position bigint,
        event text NOT NULL,
        team_id uuid,
        data jsonb NOT NULL,
        meta jsonb NOT NULL,
        created_at timestamptz(3) NOT NULL
      )`);
    await runner.query(`CREATE INDEX outbox_event_pending ON outbox_event (seq) WHERE position IS NULL`);
    await runner.query(
      `CREATE UNIQUE INDEX outbox_event_position ON outbox_event (position) WHERE position IS NOT NULL`,
    );
    await runner.query(`CREATE TABLE outbox_head (id smallint PRIMARY KEY, position bigint NOT NULL)`);
    await runner.query(`INSERT INTO outbox_head (id, position) VALUES (1, 0)`);
    await runner.query(`
      CREATE TABLE event_position (
        source text PRIMARY KEY,
        position bigint NOT NULL,
        lease_owner text,
        lease_until timestamptz(3)
      )`);
    await runner.query(`
      CREATE TABLE dead_event (
        id uuid PRIMARY KEY,
        source text NOT NULL,
        position bigint NOT NULL,
        event jsonb NOT NULL,
        error text NOT NULL,
        attempts integer NOT NULL,
        next_attempt_at timestamptz(3) NOT NULL,
        created_at timestamptz(3) NOT NULL
      )`);
    await runner.query(`CREATE INDEX dead_event_due ON dead_event (next_attempt_at)`);
    await runner.query(`
      CREATE TABLE idempotency_record (
        scope text PRIMARY KEY,
        operation_id text NOT NULL,
        fingerprint text NOT NULL,
        status smallint,
        body text,
        lease_token uuid,
        lease_until timestamptz(3),
        expires_at timestamptz(3) NOT NULL
      )`);
    await runner.query(`CREATE INDEX idempotency_record_expiry ON idempotency_record (expires_at)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      `DROP TABLE idempotency_record, dead_event, event_position, outbox_head, outbox_event`,
    );
  }
}
