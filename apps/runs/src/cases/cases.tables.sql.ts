/** Queues, cases and labels. */
export const caseTables: readonly string[] = [
  `
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
  updated_at timestamptz(3) NOT NULL,
  reserved_agent_id uuid
) WITH (autovacuum_vacuum_scale_factor = 0.02)`,
  'CREATE INDEX queue_case_created ON queue_case (queue_id, status, rank, created_at, id)',
  'CREATE INDEX queue_case_updated ON queue_case (queue_id, status, rank, updated_at, id)',
  `
CREATE INDEX queue_case_ready ON queue_case (queue_id, rank, created_at, id)
  WHERE status = 'pending' AND claimed_by_run_id IS NULL AND postponed_to IS NULL`,
  `
CREATE INDEX queue_case_postponed ON queue_case (queue_id, postponed_to, id)
  WHERE status = 'pending' AND claimed_by_run_id IS NULL AND postponed_to IS NOT NULL`,
  `
CREATE INDEX queue_case_claimed ON queue_case (queue_id, created_at, id)
  WHERE status = 'pending' AND claimed_by_run_id IS NOT NULL`,
  'CREATE TABLE case_text (case_id uuid PRIMARY KEY, queue_id uuid NOT NULL, text text NOT NULL)',
  // Comes with Postgres, and the owner of a database may create it. Without it, searches read more rows.
  `

DO $$ BEGIN
  IF EXISTS (SELECT FROM pg_available_extensions WHERE name = 'pg_trgm') THEN
    CREATE EXTENSION IF NOT EXISTS pg_trgm SCHEMA public;
    CREATE INDEX case_text_words ON case_text USING gin (text public.gin_trgm_ops);
  END IF;
END $$`,
  'CREATE INDEX case_text_letters ON case_text USING gin (string_to_array(text, NULL))',
  `
CREATE TABLE case_event (
  id uuid PRIMARY KEY,
  case_id uuid NOT NULL,
  type text NOT NULL,
  actor jsonb NOT NULL,
  reason text,
  created_at timestamptz(3) NOT NULL
)`,
  'CREATE INDEX case_event_case ON case_event (case_id, created_at, id)',
  `
CREATE TABLE case_tally (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  queue_id uuid NOT NULL,
  status text NOT NULL,
  rank smallint NOT NULL,
  cases integer NOT NULL
)`,
  'CREATE INDEX case_tally_queue ON case_tally (queue_id)',
  `
CREATE TABLE case_label (
  id uuid PRIMARY KEY,
  team_id uuid NOT NULL,
  queue_id uuid NOT NULL,
  key text NOT NULL,
  value text NOT NULL,
  hue smallint NOT NULL,
  created_at timestamptz(3) NOT NULL
)`,
  'CREATE UNIQUE INDEX case_label_name ON case_label (queue_id, key, value)',
  `
CREATE TABLE case_label_link (
  case_id uuid NOT NULL,
  label_id uuid NOT NULL,
  PRIMARY KEY (case_id, label_id)
)`,
  'CREATE INDEX case_label_link_label ON case_label_link (label_id, case_id)',
  `
CREATE TABLE case_queue (
  id uuid PRIMARY KEY,
  team_id uuid NOT NULL,
  name text NOT NULL,
  description text,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL
)`,
  'CREATE UNIQUE INDEX case_queue_name ON case_queue (team_id, name)',
  `
CREATE TABLE queue_producer (
  queue_id uuid NOT NULL,
  agent_id uuid NOT NULL,
  agent_name text NOT NULL,
  produced_at timestamptz(3) NOT NULL,
  PRIMARY KEY (queue_id, agent_id)
)`,
  `
CREATE TABLE case_progress (
  scope text PRIMARY KEY,
  fingerprint text NOT NULL,
  state jsonb NOT NULL,
  lease_token uuid NOT NULL,
  lease_until timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL
)`,
  'CREATE INDEX case_progress_time ON case_progress (updated_at)',
  `
CREATE TABLE case_trigger (
  id uuid PRIMARY KEY,
  team_id uuid NOT NULL,
  agent_id uuid NOT NULL,
  agent_name text NOT NULL,
  queue_id uuid NOT NULL,
  enabled boolean NOT NULL,
  concurrency integer,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL
)`,
  'CREATE UNIQUE INDEX case_trigger_agent ON case_trigger (agent_id)',
  'CREATE INDEX case_trigger_queue ON case_trigger (queue_id)',
];
