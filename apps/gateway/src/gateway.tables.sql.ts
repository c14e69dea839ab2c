/** Teams, credentials and sessions. */
export const gatewayTables: readonly string[] = [
  `
CREATE TABLE team (
  id uuid PRIMARY KEY,
  name text NOT NULL,
  plan text NOT NULL,
  created_at timestamptz(3) NOT NULL
)`,
  `
CREATE TABLE api_key (
  id uuid PRIMARY KEY,
  team_id uuid NOT NULL,
  name text NOT NULL,
  hash text NOT NULL,
  scopes text[] NOT NULL,
  expires_at timestamptz(3),
  revoked_at timestamptz(3),
  created_at timestamptz(3) NOT NULL
)`,
  'CREATE UNIQUE INDEX api_key_hash ON api_key (hash)',
  'CREATE INDEX api_key_team ON api_key (team_id, id) WHERE revoked_at IS NULL',
  `
CREATE TABLE oauth_client (
  id uuid PRIMARY KEY,
  team_id uuid NOT NULL,
  name text NOT NULL,
  secret_hash text NOT NULL,
  scopes text[] NOT NULL,
  revoked_at timestamptz(3),
  created_at timestamptz(3) NOT NULL
)`,
  'CREATE INDEX oauth_client_team ON oauth_client (team_id, id) WHERE revoked_at IS NULL',
  `
CREATE TABLE signing_key (
  kid text PRIMARY KEY,
  public_jwk jsonb NOT NULL,
  sealed_private_jwk text NOT NULL,
  created_at timestamptz(3) NOT NULL
)`,
  'CREATE TABLE revoked_token (jti uuid PRIMARY KEY, expires_at timestamptz(3) NOT NULL)',
  'CREATE INDEX revoked_token_expiry ON revoked_token (expires_at)',
  `
CREATE TABLE sign_in_session (
  id uuid PRIMARY KEY,
  team_id uuid NOT NULL,
  api_key_id uuid NOT NULL,
  hash text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  used_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL
)`,
  'CREATE UNIQUE INDEX sign_in_session_hash ON sign_in_session (hash)',
  'CREATE INDEX sign_in_session_key ON sign_in_session (api_key_id, id)',
  'CREATE INDEX sign_in_session_end ON sign_in_session (expires_at)',
];
