/** Artifacts and their revisions. */
export const artifactTables: readonly string[] = [
  `
CREATE TABLE artifact (
  id uuid PRIMARY KEY,
  team_id uuid NOT NULL,
  made_by text NOT NULL,
  title text,
  status text NOT NULL,
  visibility text NOT NULL,
  model text NOT NULL,
  refresh_frequency text,
  last_refresh_at timestamptz(3),
  next_refresh_at timestamptz(3),
  failed_refreshes integer DEFAULT 0 NOT NULL,
  current_version integer,
  public_token text,
  pending_user_questions jsonb,
  answers jsonb NOT NULL,
  error jsonb,
  request text,
  is_scheduled boolean DEFAULT false NOT NULL,
  attempts integer DEFAULT 0 NOT NULL,
  job_id uuid NOT NULL,
  lease_token uuid,
  lease_until timestamptz(3),
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  permission text DEFAULT 'view' NOT NULL
)`,
  'CREATE INDEX artifact_team ON artifact (team_id, created_at, id)',
  'CREATE UNIQUE INDEX artifact_public_token ON artifact (public_token) WHERE public_token IS NOT NULL',
  `CREATE INDEX artifact_to_do ON artifact (id) WHERE status IN ('pending', 'running')`,
  'CREATE INDEX artifact_due ON artifact (next_refresh_at) WHERE next_refresh_at IS NOT NULL',
  `
CREATE TABLE artifact_message (
  id uuid PRIMARY KEY,
  artifact_id uuid NOT NULL,
  seq integer NOT NULL,
  role text NOT NULL,
  content text NOT NULL,
  is_answer boolean DEFAULT false NOT NULL,
  created_at timestamptz(3) NOT NULL
)`,
  'CREATE UNIQUE INDEX artifact_message_order ON artifact_message (artifact_id, seq)',
  `
CREATE TABLE artifact_revision (
  id uuid PRIMARY KEY,
  artifact_id uuid NOT NULL,
  version integer NOT NULL,
  title text NOT NULL,
  body text NOT NULL,
  size_bytes integer NOT NULL,
  source text NOT NULL,
  restored_version integer,
  created_at timestamptz(3) NOT NULL
)`,
  'CREATE UNIQUE INDEX artifact_revision_version ON artifact_revision (artifact_id, version)',
  `
CREATE TABLE artifact_connection (
  artifact_id uuid NOT NULL,
  connection_id uuid NOT NULL,
  created_at timestamptz(3) NOT NULL,
  PRIMARY KEY (artifact_id, connection_id)
)`,
];
