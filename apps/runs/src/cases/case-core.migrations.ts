import type { MigrationInterface, QueryRunner } from 'typeorm';

const free = `status = 'pending' AND claimed_by_run_id IS NULL`;

/** Cases, what is searched of them, what happened to them, and how many there are. */
export class Cases1760000007110 implements MigrationInterface {
  readonly name = 'Cases1760000007110';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE queue_case (
        id uuid PRIMARY KEY,
        team_id uuid NOT NULL,
        queue_id uuid NOT NULL,
        title text NOT NULL,
        data jsonb NOT NULL,
        status text NOT NULL,
        rank smallint NOT NULL,
        claimed_by_run_id uuid,
        claimed_at timestamptz(3),
        postponed_to timestamptz(3),
        completed_at timestamptz(3),
        pending_human_request_id uuid,
        created_at timestamptz(3) NOT NULL,
        updated_at timestamptz(3) NOT NULL
      ) WITH (autovacuum_vacuum_scale_factor = 0.02)`);
    for (const [name, columns, where] of indexes) {
      await runner.query(`CREATE INDEX ${name} ON queue_case (${columns})${where ? ` WHERE ${where}` : ''}`);
    }
    await runner.query(
      'CREATE TABLE case_text (case_id uuid PRIMARY KEY, queue_id uuid NOT NULL, text text NOT NULL)',
    );
    // Comes with Postgres and may be created by a database's owner. Where it is not there, searches read more rows.
    await runner.query(`
      DO $$ BEGIN
        IF EXISTS (SELECT FROM pg_available_extensions WHERE name = 'pg_trgm') THEN
          CREATE EXTENSION IF NOT EXISTS pg_trgm SCHEMA public;
          CREATE INDEX case_text_words ON case_text USING gin (text public.gin_trgm_ops);
        END IF;
      END $$`);
    await runner.query(`
      CREATE TABLE case_event (
        id uuid PRIMARY KEY,
        case_id uuid NOT NULL,
        type text NOT NULL,
        actor jsonb NOT NULL,
        reason text,
        created_at timestamptz(3) NOT NULL
      )`);
    await runner.query('CREATE INDEX case_event_case ON case_event (case_id, created_at, id)');
    await runner.query(`
      CREATE TABLE case_tally (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        queue_id uuid NOT NULL,
        status text NOT NULL,
        rank smallint NOT NULL,
        cases integer NOT NULL
      )`);
    await runner.query('CREATE INDEX case_tally_queue ON case_tally (queue_id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE case_tally, case_event, case_text, queue_case');
  }
}

const indexes: readonly (readonly [name: string, columns: string, where?: string])[] = [
  ['queue_case_created', 'queue_id, status, rank, created_at, id'],
  ['queue_case_updated', 'queue_id, status, rank, updated_at, id'],
  ['queue_case_ready', 'queue_id, rank, created_at, id', `${free} AND postponed_to IS NULL`],
  ['queue_case_postponed', 'queue_id, postponed_to, id', `${free} AND postponed_to IS NOT NULL`],
  ['queue_case_claimed', 'queue_id, created_at, id', `status = 'pending' AND claimed_by_run_id IS NOT NULL`],
];
