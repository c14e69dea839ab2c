/** Agents, their revisions, builder runs, schedules, memory and rubrics. */
export const agentTables: readonly string[] = [
  `
CREATE TABLE build (
  id uuid PRIMARY KEY,
  agent_id uuid NOT NULL,
  team_id uuid NOT NULL,
  name text NOT NULL,
  revision_number integer NOT NULL,
  revision_name text,
  revision_description text,
  status text NOT NULL,
  config jsonb NOT NULL,
  parent_build_id uuid,
  previous_live_build_id uuid,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  CONSTRAINT build_status_of_agent UNIQUE (id, agent_id, status)
)`,
  `CREATE UNIQUE INDEX build_one_live ON build (agent_id) WHERE status = 'live'`,
  'CREATE UNIQUE INDEX build_revision ON build (agent_id, revision_number)',
  `
CREATE TABLE agent (
  id uuid PRIMARY KEY,
  team_id uuid NOT NULL,
  name text NOT NULL,
  description text,
  agentic_memory_enabled boolean NOT NULL,
  live_build_id uuid NOT NULL,
  live_status text DEFAULT 'live' NOT NULL,
  last_revision_number integer NOT NULL,
  last_run_at timestamptz(3),
  deleted_at timestamptz(3),
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  CONSTRAINT agent_live_build FOREIGN KEY (live_build_id, id, live_status) REFERENCES build(id, agent_id, status) DEFERRABLE INITIALLY DEFERRED,
  CONSTRAINT agent_live_status CHECK (live_status = 'live')
)`,
  'CREATE INDEX agent_team ON agent (team_id, id) WHERE deleted_at IS NULL',
  'CREATE TABLE team_agent_count (team_id uuid PRIMARY KEY, agents integer NOT NULL)',
  `
CREATE TABLE eval_rubric (
  id uuid PRIMARY KEY,
  team_id uuid NOT NULL,
  build_id uuid NOT NULL,
  slug text NOT NULL,
  title text NOT NULL,
  description text NOT NULL,
  severity text NOT NULL,
  sort_order integer NOT NULL,
  version integer NOT NULL,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL
)`,
  'CREATE UNIQUE INDEX eval_rubric_slug ON eval_rubric (build_id, slug)',
  `
CREATE TABLE memory_file (
  agent_id uuid NOT NULL,
  path text NOT NULL,
  team_id uuid NOT NULL,
  content text NOT NULL,
  size_bytes integer NOT NULL,
  source_run_id uuid,
  updated_at timestamptz(3) NOT NULL,
  generation integer,
  source_user_id uuid,
  PRIMARY KEY (agent_id, path)
)`,
  `
CREATE TABLE schedule (
  id uuid PRIMARY KEY,
  agent_id uuid NOT NULL,
  team_id uuid NOT NULL,
  enabled boolean NOT NULL,
  frequency text NOT NULL,
  time text NOT NULL,
  timezone text NOT NULL,
  day text NOT NULL,
  day_of_month integer NOT NULL,
  cron text,
  recurring boolean NOT NULL,
  message text,
  next_run_at timestamptz(3),
  last_run_at timestamptz(3),
  last_run_id uuid,
  failed_runs integer DEFAULT 0 NOT NULL,
  auto_disabled_at timestamptz(3),
  auto_disabled_reason text,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL
)`,
  'CREATE INDEX schedule_agent ON schedule (agent_id, id)',
  'CREATE INDEX schedule_due ON schedule (next_run_at) WHERE enabled',
  'CREATE INDEX schedule_team ON schedule (team_id, agent_id) WHERE enabled',
  `
CREATE TABLE builder_run (
  id uuid PRIMARY KEY,
  team_id uuid NOT NULL,
  agent_id uuid NOT NULL,
  build_id uuid NOT NULL,
  status text NOT NULL,
  phase text NOT NULL,
  prompt text NOT NULL,
  checkpoint_config jsonb NOT NULL,
  draft_config jsonb,
  proposed_config jsonb,
  pending_user_questions jsonb,
  answers jsonb NOT NULL,
  error jsonb,
  failed_attempts integer DEFAULT 0 NOT NULL,
  job_id uuid NOT NULL,
  lease_token uuid,
  lease_until timestamptz(3),
  created_at timestamptz(3) NOT NULL,
  started_at timestamptz(3),
  completed_at timestamptz(3),
  lost_workers integer DEFAULT 0 NOT NULL
)`,
  'CREATE INDEX builder_run_build ON builder_run (build_id, created_at)',
  `
CREATE UNIQUE INDEX builder_run_one_active ON builder_run (build_id)
  WHERE status IN ('pending', 'running', 'waiting', 'awaiting_review')`,
  `
CREATE INDEX builder_run_agent_active ON builder_run (agent_id)
  WHERE status IN ('pending', 'running', 'waiting', 'awaiting_review')`,
  `CREATE INDEX builder_run_to_do ON builder_run (id) WHERE status IN ('pending', 'running')`,
  'CREATE TABLE memory_counter (agent_id uuid PRIMARY KEY, last integer NOT NULL)',
];
