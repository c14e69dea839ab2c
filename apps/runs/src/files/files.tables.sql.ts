/** Sandboxes and their files. */
export const sandboxTables: readonly string[] = [
  `
CREATE TABLE sandbox (
  id uuid PRIMARY KEY,
  team_id uuid NOT NULL,
  files integer NOT NULL,
  bytes bigint NOT NULL,
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3)
)`,
  'CREATE INDEX sandbox_expiry ON sandbox (expires_at) WHERE expires_at IS NOT NULL',
  'CREATE INDEX sandbox_team ON sandbox (team_id, expires_at) WHERE expires_at IS NOT NULL',
  `
CREATE TABLE sandbox_file (
  sandbox_id uuid NOT NULL,
  path text COLLATE "C" NOT NULL,
  key text NOT NULL,
  size_bytes bigint NOT NULL,
  sha256 text NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  PRIMARY KEY (sandbox_id, path)
)`,
  'CREATE INDEX sandbox_file_changed ON sandbox_file (sandbox_id, updated_at)',
  `
CREATE TABLE file_garbage (
  key text PRIMARY KEY,
  due_at timestamptz(3) NOT NULL,
  taken_at timestamptz(3)
)`,
  'CREATE INDEX file_garbage_due ON file_garbage (due_at)',
];
