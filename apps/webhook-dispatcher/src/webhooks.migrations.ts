import type { MigrationInterface, QueryRunner } from 'typeorm';

const tables = [
  'webhook_subscription',
  'webhook_secret',
  'feed_event',
  'feed_head',
  'delivery',
  'delivery_attempt',
  'delivery_count',
  'delivery_replay',
  'delivery_lane',
];

export class Webhooks1760000004000 implements MigrationInterface {
  readonly name = 'Webhooks1760000004000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE webhook_subscription (
        id uuid PRIMARY KEY,
        team_id uuid NOT NULL,
        url text NOT NULL,
        events text[] NOT NULL,
        enabled boolean NOT NULL,
        disabled_reason text,
        last_delivery_at timestamptz(3),
        consecutive_failures integer NOT NULL,
        failing_since timestamptz(3),
        created_at timestamptz(3) NOT NULL,
        updated_at timestamptz(3) NOT NULL
      )`);
    await runner.query(`CREATE INDEX webhook_subscription_team ON webhook_subscription (team_id, id)`);
    await runner.query(`
      CREATE TABLE webhook_secret (
        team_id uuid PRIMARY KEY,
        sealed text NOT NULL,
        created_at timestamptz(3) NOT NULL,
        previous_sealed text,
        previous_expires_at timestamptz(3)
      )`);
    await this.createFeed(runner);
    await this.createDeliveries(runner);
    await runner.query(`
      CREATE TABLE delivery_lane (
        id uuid PRIMARY KEY,
        team_id uuid NOT NULL,
        subscription_id uuid,
        due_at timestamptz(3),
        wakes bigint NOT NULL,
        lease_token uuid,
        lease_until timestamptz(3),
        used_at timestamptz(3) NOT NULL
      ) WITH (fillfactor = 50)`);
    await runner.query(`CREATE INDEX delivery_lane_due ON delivery_lane (due_at) WHERE due_at IS NOT NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of tables) await runner.query(`DROP TABLE ${table}`);
  }

  private async createFeed(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE feed_event (
        team_id uuid NOT NULL,
        position bigint NOT NULL,
        id uuid NOT NULL,
        event text NOT NULL,
        body text NOT NULL,
        created_at timestamptz(3) NOT NULL,
        PRIMARY KEY (team_id, position)
      )`);
    await runner.query(`CREATE INDEX feed_event_type ON feed_event (team_id, event, position)`);
    // Rows lie in the order of time: a tiny index finds the old ones.
    await runner.query(`CREATE INDEX feed_event_age ON feed_event USING brin (created_at)`);
    await runner.query(`
      CREATE TABLE feed_head (team_id uuid PRIMARY KEY, position bigint NOT NULL) WITH (fillfactor = 50)`);
  }

  private async createDeliveries(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE delivery (
        target_id uuid NOT NULL,
        event_id uuid NOT NULL,
        team_id uuid NOT NULL,
        position bigint NOT NULL,
        lane_id uuid NOT NULL,
        event text NOT NULL,
        url text,
        status text NOT NULL,
        attempts integer NOT NULL,
        attempts_before integer NOT NULL,
        next_attempt_at timestamptz(3),
        created_at timestamptz(3) NOT NULL,
        delivered_at timestamptz(3),
        PRIMARY KEY (target_id, event_id)
      )`);
    await runner.query(`CREATE INDEX delivery_status ON delivery (target_id, status, event_id)`);
    await runner.query(
      `CREATE INDEX delivery_due ON delivery (lane_id, next_attempt_at, position) WHERE status = 'pending'`,
    );
    await runner.query(`CREATE INDEX delivery_age ON delivery USING brin (created_at)`);
    await runner.query(`
      CREATE TABLE delivery_attempt (
        target_id uuid NOT NULL,
        event_id uuid NOT NULL,
        number integer NOT NULL,
        attempted_at timestamptz(3) NOT NULL,
        status_code integer,
        duration_ms integer NOT NULL,
        error text,
        response_body text,
        PRIMARY KEY (target_id, event_id, number)
      )`);
    await runner.query(`
      CREATE TABLE delivery_count (
        target_id uuid NOT NULL,
        status text NOT NULL,
        deliveries bigint NOT NULL,
        PRIMARY KEY (target_id, status)
      ) WITH (fillfactor = 50)`);
    await runner.query(`
      CREATE TABLE delivery_replay (
        id uuid PRIMARY KEY,
        team_id uuid NOT NULL,
        target_id uuid NOT NULL,
        since timestamptz(3) NOT NULL,
        until timestamptz(3) NOT NULL,
        only_dead boolean NOT NULL,
        after_event_id uuid
      )`);
  }
}
