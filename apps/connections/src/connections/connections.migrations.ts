import { createIndexConcurrently } from '@aos/persistence';
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Connections1760000006000 implements MigrationInterface {
  readonly name = 'Connections1760000006000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE connection (
        id uuid PRIMARY KEY,
        team_id uuid NOT NULL,
        name text NOT NULL,
        type text NOT NULL,
        provider text NOT NULL,
        server_url text NOT NULL,
        auth_method text NOT NULL,
        status text NOT NULL,
        broken_at timestamptz(3),
        broken_reason text,
        headers jsonb NOT NULL,
        sealed_headers text,
        sealed_tokens text,
        sealed_client_secret text,
        oauth jsonb,
        oauth_scopes text[] NOT NULL,
        required_scopes text[] NOT NULL,
        credentials_version integer NOT NULL,
        token_obtained_at timestamptz(3),
        token_stale_at timestamptz(3),
        token_expires_at timestamptz(3),
        refresh_at timestamptz(3),
        refresh_failures integer NOT NULL,
        refresh_lease_id uuid,
        refresh_lease_until timestamptz(3),
        refresh_interrupted boolean NOT NULL,
        is_draft boolean NOT NULL,
        created_at timestamptz(3) NOT NULL,
        updated_at timestamptz(3) NOT NULL
      )`);
    await runner.query(`CREATE INDEX connection_team ON connection (team_id, id)`);
    await runner.query(
      `CREATE INDEX connection_refresh ON connection (refresh_at) WHERE refresh_at IS NOT NULL`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE connection`);
  }
}

/** Drafts that nobody finished are found without a look at every connection. */
export class Drafts1760000007610 implements MigrationInterface {
  readonly name = 'Drafts1760000007610';
  readonly transaction = false;

  up(runner: QueryRunner): Promise<void> {
    return createIndexConcurrently(runner, {
      name: 'connection_draft',
      table: 'connection',
      definition: '(created_at) WHERE is_draft',
    });
  }

  /** TypeORM undoes in a transaction, also what was made without one. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX connection_draft`);
  }
}

/** A server whose address is the credential. */
export class SecretAddresses1760000009800 implements MigrationInterface {
  readonly name = 'SecretAddresses1760000009800';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE connection ADD COLUMN sealed_path text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE connection DROP COLUMN sealed_path');
  }
}
