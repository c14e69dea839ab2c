/** Runs and everything stored with them. */
export const runTables: readonly string[] = [
  // Null where the server does not allow it, as some managed ones and those in recovery.
  `
CREATE FUNCTION server_timeline() RETURNS text LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN (SELECT system_identifier FROM pg_control_system()) || '/' || left(pg_walfile_name(pg_current_wal_lsn()), 8);
EXCEPTION WHEN OTHERS THEN
  RETURN NULL;
END $$`,
  'CREATE TABLE build_copy (digest text PRIMARY KEY, build jsonb NOT NULL)',
  // Room in each page lets a step update the row without touching an index. Frequent vacuums let lists read indexes alone.
  `
CREATE TABLE run (
  id uuid PRIMARY KEY,
  team_id uuid NOT NULL,
  agent_id uuid NOT NULL,
  agent_name text NOT NULL,
  build_id uuid NOT NULL,
  build_digest text NOT NULL,
  title text NOT NULL,
  status text NOT NULL,
  source text NOT NULL,
  sandbox_id uuid NOT NULL,
  user_id uuid,
  schedule_id uuid,
  case_id uuid,
  case_queue_id uuid,
  human_in_the_loop_enabled boolean NOT NULL,
  metadata jsonb NOT NULL,
  result text,
  error jsonb,
  stop_reason text,
  steps integer NOT NULL,
  tool_calls integer NOT NULL,
  input_tokens bigint NOT NULL,
  output_tokens bigint NOT NULL,
  has_issues boolean,
  issue_severity text,
  script_position integer NOT NULL,
  message_seq integer NOT NULL,
  event_seq integer NOT NULL,
  reopened integer NOT NULL,
  limits_from_steps integer NOT NULL,
  limits_from_tokens bigint NOT NULL,
  active_ms bigint NOT NULL,
  dispatches integer NOT NULL,
  queued_at timestamptz(3) NOT NULL,
  lease_token uuid,
  lease_until timestamptz(3),
  wake_at timestamptz(3),
  created_at timestamptz(3) NOT NULL,
  started_at timestamptz(3),
  completed_at timestamptz(3),
  updated_at timestamptz(3) NOT NULL,
  webhook_url text,
  parent_run_id uuid,
  parent_call_id text,
  depth integer DEFAULT 0 NOT NULL,
  message_bytes bigint DEFAULT 0 NOT NULL,
  takeovers integer DEFAULT 0 NOT NULL,
  case_title text,
  case_queue_name text,
  traceparent text,
  timeline text,
  run_number integer NOT NULL
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02)`,
  `
CREATE INDEX run_team_open ON run (team_id, status, created_at, id, started_at, completed_at)
  WHERE status IN ('pending', 'running', 'waiting')`,
  'CREATE INDEX run_team_agent ON run (team_id, agent_id, status, created_at, id, started_at, completed_at)',
  `
CREATE INDEX run_team_created ON run (team_id, status, created_at, id, completed_at, has_issues)
  WHERE status IN ('completed', 'failed', 'stopped')`,
  `
CREATE INDEX run_team_started
  ON run (team_id, status, started_at, id, completed_at, agent_id, user_id, source, case_queue_id)
  WHERE status IN ('completed', 'failed', 'stopped')`,
  `
CREATE INDEX run_team_completed
  ON run (team_id, status, completed_at, id, agent_id, user_id, source, case_queue_id)
  WHERE status IN ('completed', 'failed', 'stopped')`,
  `
CREATE INDEX run_team_user ON run (team_id, user_id, status, created_at, id, started_at, completed_at)
  WHERE status IN ('completed', 'failed', 'stopped') AND user_id IS NOT NULL`,
  `
CREATE INDEX run_team_source ON run (team_id, source, status, created_at, id, started_at, completed_at)
  WHERE status IN ('completed', 'failed', 'stopped')`,
  `
CREATE INDEX run_team_case_queue
  ON run (team_id, case_queue_id, status, created_at, id, started_at, completed_at)
  WHERE status IN ('completed', 'failed', 'stopped') AND case_queue_id IS NOT NULL`,
  `
CREATE INDEX run_team_issues ON run (team_id, status, created_at, id, started_at, completed_at, agent_id)
  WHERE has_issues`,
  `
CREATE INDEX run_team_severity
  ON run (team_id, issue_severity, status, created_at, id, started_at, completed_at)
  WHERE issue_severity IS NOT NULL`,
  // No query asks which other runs use the sandbox of a run.
  'CREATE INDEX run_shared_sandbox ON run (sandbox_id) WHERE sandbox_id <> id',
  'CREATE UNIQUE INDEX run_parent ON run (parent_run_id, parent_call_id) WHERE parent_run_id IS NOT NULL',
  `CREATE INDEX run_open ON run (team_id, queued_at, id) WHERE status IN ('pending', 'running')`,
  // Without the end of the lease: each renewal would write to every index of the run.
  'CREATE INDEX run_leased ON run (id) WHERE lease_token IS NOT NULL',
  `CREATE INDEX run_suspect ON run (queued_at) WHERE takeovers >= 3 AND status = 'running'`,
  `
CREATE INDEX run_open_sub ON run (parent_run_id)
  WHERE parent_run_id IS NOT NULL AND status IN ('pending', 'running', 'waiting')`,
  'CREATE INDEX run_case ON run (case_id, created_at, id) WHERE case_id IS NOT NULL',
  `
CREATE INDEX run_case_open ON run (team_id, agent_id)
  WHERE case_id IS NOT NULL AND status IN ('pending', 'running')`,
  // ANALYZE skips columns that no condition names: it sampled 30,000 rows a minute under load, 4.5 s of a core at 360,000 runs.
  `

ALTER TABLE run
  ALTER build_digest SET STATISTICS 0, ALTER metadata SET STATISTICS 0, ALTER result SET STATISTICS 0,
  ALTER error SET STATISTICS 0, ALTER stop_reason SET STATISTICS 0, ALTER tool_calls SET STATISTICS 0,
  ALTER input_tokens SET STATISTICS 0, ALTER output_tokens SET STATISTICS 0, ALTER script_position SET STATISTICS 0,
  ALTER event_seq SET STATISTICS 0, ALTER limits_from_steps SET STATISTICS 0, ALTER limits_from_tokens SET STATISTICS 0,
  ALTER active_ms SET STATISTICS 0, ALTER webhook_url SET STATISTICS 0, ALTER case_queue_name SET STATISTICS 0,
  ALTER traceparent SET STATISTICS 0`,
  `
CREATE TABLE run_message (
  run_id uuid NOT NULL,
  seq integer NOT NULL,
  id uuid NOT NULL,
  type text NOT NULL,
  role text NOT NULL,
  text_content text,
  tool_call jsonb,
  tool_result jsonb,
  created_at timestamptz(3) NOT NULL,
  PRIMARY KEY (run_id, seq)
)`,
  `

ALTER TABLE run_message
  ALTER text_content SET STATISTICS 0, ALTER tool_call SET STATISTICS 0, ALTER tool_result SET STATISTICS 0`,
  `

ALTER TABLE run_message
  ALTER run_id SET STATISTICS 20, ALTER seq SET STATISTICS 20, ALTER id SET STATISTICS 20,
  ALTER type SET STATISTICS 20, ALTER role SET STATISTICS 20, ALTER created_at SET STATISTICS 20`,
  `
CREATE TABLE run_step (
  run_id uuid NOT NULL,
  step_index integer NOT NULL,
  name text NOT NULL,
  kind text NOT NULL,
  status text NOT NULL,
  attempts integer NOT NULL,
  input_tokens integer,
  output_tokens integer,
  tool_calls integer,
  error text,
  started_at timestamptz(3) NOT NULL,
  completed_at timestamptz(3),
  PRIMARY KEY (run_id, step_index)
)`,
  `

ALTER TABLE run_step
  ALTER error SET STATISTICS 0`,
  `

ALTER TABLE run_step
  ALTER run_id SET STATISTICS 20, ALTER step_index SET STATISTICS 20, ALTER name SET STATISTICS 20,
  ALTER kind SET STATISTICS 20, ALTER status SET STATISTICS 20, ALTER attempts SET STATISTICS 20,
  ALTER input_tokens SET STATISTICS 20, ALTER output_tokens SET STATISTICS 20, ALTER tool_calls SET STATISTICS 20,
  ALTER started_at SET STATISTICS 20, ALTER completed_at SET STATISTICS 20`,
  // Updated with each batch of starts: room in the page keeps the updates off the index.
  'CREATE TABLE run_counter (agent_id uuid PRIMARY KEY, last integer NOT NULL) WITH (fillfactor = 50)',
];
