import type { MigrationInterface, QueryRunner } from 'typeorm';

export class OAuthFlows1760000006100 implements MigrationInterface {
  readonly name = 'OAuthFlows1760000006100';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE oauth_flow (
        state_hash text PRIMARY KEY,
        team_id uuid NOT NULL,
        connection_id uuid NOT NULL,
        provider text,
        server_url text NOT NULL,
        oauth jsonb NOT NULL,
        scopes text[] NOT NULL,
        sealed_verifier text NOT NULL,
        sealed_client_secret text,
        return_url text,
        expires_at timestamptz(3) NOT NULL
      )`);
    await runner.query(`CREATE INDEX oauth_flow_expiry ON oauth_flow (expires_at)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE oauth_flow`);
  }
}
