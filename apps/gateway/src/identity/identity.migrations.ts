import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Identity1760000001000 implements MigrationInterface {
  readonly name = 'Identity1760000001000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE team (
        id uuid PRIMARY KEY,
        name text NOT NULL,
        plan text NOT NULL,
        created_at timestamptz(3) NOT NULL
      )`);
    await runner.query(`
      CREATE TABLE api_key (
        id uuid PRIMARY KEY,
        team_id uuid NOT NULL,
        name text NOT NULL,
        hash text NOT NULL,
        scopes text[] NOT NULL,
        expires_at timestamptz(3),
        revoked_at timestamptz(3),
        created_at timestamptz(3) NOT NULL
      )`);
    await runner.query(`CREATE UNIQUE INDEX api_key_hash ON api_key (hash)`);
    await runner.query(`CREATE INDEX api_key_team ON api_key (team_id, id) WHERE revoked_at IS NULL`);
    await runner.query(`
      CREATE TABLE oauth_client (
        id uuid PRIMARY KEY,
        team_id uuid NOT NULL,
        name text NOT NULL,
        secret_hash text NOT NULL,
        scopes text[] NOT NULL,
        revoked_at timestamptz(3),
        created_at timestamptz(3) NOT NULL
      )`);
    await runner.query(
      `CREATE INDEX oauth_client_team ON oauth_client (team_id, id) WHERE revoked_at IS NULL`,
    );
    await runner.query(`
      CREATE TABLE signing_key (
        kid text PRIMARY KEY,
        public_jwk jsonb NOT NULL,
        sealed_private_jwk text NOT NULL,
        created_at timestamptz(3) NOT NULL
      )`);
    await runner.query(`
      CREATE TABLE revoked_token (
        jti uuid PRIMARY KEY,
        expires_at timestamptz(3) NOT NULL
      )`);
    await runner.query(`CREATE INDEX revoked_token_expiry ON revoked_token (expires_at)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE revoked_token, signing_key, oauth_client, api_key, team`);
  }
}
