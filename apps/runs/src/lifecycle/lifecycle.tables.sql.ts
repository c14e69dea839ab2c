/** Human requests, totals and titles of runs, scheduled starts, deleted agents. */
export const lifecycleTables: readonly string[] = [
  `
CREATE TABLE deleted_agent (
  agent_id uuid PRIMARY KEY,
  team_id uuid NOT NULL,
  deleted_at timestamptz(3) NOT NULL
)`,
  'CREATE INDEX deleted_agent_time ON deleted_agent (deleted_at)',
  `
CREATE TABLE scheduled_start (
  run_id uuid PRIMARY KEY,
  schedule_id uuid NOT NULL,
  agent_id uuid NOT NULL,
  team_id uuid NOT NULL,
  message text,
  attempts integer NOT NULL,
  next_attempt_at timestamptz(3) NOT NULL
)`,
  'CREATE INDEX scheduled_start_due ON scheduled_start (next_attempt_at)',
  `
CREATE TABLE human_request (
  id uuid PRIMARY KEY,
  run_id uuid NOT NULL,
  team_id uuid NOT NULL,
  tool_call_id text NOT NULL,
  type text NOT NULL,
  title text NOT NULL,
  description text,
  questions jsonb,
  status text NOT NULL,
  response jsonb,
  votes jsonb NOT NULL,
  assignee text,
  due_at timestamptz(3),
  on_timeout text NOT NULL,
  required_approvals integer NOT NULL,
  responded_at timestamptz(3),
  created_at timestamptz(3) NOT NULL
)`,
  `CREATE UNIQUE INDEX human_request_pending ON human_request (run_id) WHERE status = 'pending'`,
  `CREATE INDEX human_request_due ON human_request (due_at) WHERE status = 'pending' AND due_at IS NOT NULL`,
  'CREATE INDEX human_request_run ON human_request (run_id, id)',
  'CREATE INDEX human_request_team ON human_request (team_id, status, id)',
  'CREATE INDEX human_request_assignee ON human_request (team_id, assignee, status, id) WHERE assignee IS NOT NULL',
  `
CREATE TABLE run_tally (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  team_id uuid NOT NULL,
  agent_id uuid NOT NULL,
  user_id uuid,
  case_queue_id uuid,
  source text NOT NULL,
  status text NOT NULL,
  runs integer NOT NULL
)`,
  'CREATE INDEX run_tally_team ON run_tally (team_id, agent_id)',
  'CREATE TABLE run_title (run_id uuid PRIMARY KEY, team_id uuid NOT NULL, title text NOT NULL)',
  // Comes with Postgres, and the owner of a database may create it. Without it, searches read more rows.
  `

DO $$ BEGIN
  IF EXISTS (SELECT FROM pg_available_extensions WHERE name = 'pg_trgm') THEN
    CREATE EXTENSION IF NOT EXISTS pg_trgm SCHEMA public;
    CREATE INDEX run_title_words ON run_title USING gin (title public.gin_trgm_ops);
  END IF;
END $$`,
];
