import type { MigrationInterface, QueryRunner } from 'typeorm';

export class SignInSessions1760000009800 implements MigrationInterface {
  readonly name = 'SignInSessions1760000009800';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE sign_in_session (
        id uuid PRIMARY KEY,
        team_id uuid NOT NULL,
        api_key_id uuid NOT NULL,
        hash text NOT NULL,
        created_at timestamptz(3) NOT NULL,
        used_at timestamptz(3) NOT NULL,
        expires_at timestamptz(3) NOT NULL
      )`);
    await runner.query(`CREATE UNIQUE INDEX sign_in_session_hash ON sign_in_session (hash)`);
    await runner.query(`CREATE INDEX sign_in_session_key ON sign_in_session (api_key_id, id)`);
    await runner.query(`CREATE INDEX sign_in_session_end ON sign_in_session (expires_at)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE sign_in_session`);
  }
}
