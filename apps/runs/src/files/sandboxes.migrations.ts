import type { MigrationInterface, QueryRunner } from 'typeorm';

export class SandboxesOfTeam1760000004400 implements MigrationInterface {
  readonly name = 'SandboxesOfTeam1760000004400';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'CREATE INDEX sandbox_team ON sandbox (team_id, expires_at) WHERE expires_at IS NOT NULL',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX sandbox_team');
  }
}

export class Sandboxes1760000003400 implements MigrationInterface {
  readonly name = 'Sandboxes1760000003400';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE sandbox (
        id uuid PRIMARY KEY,
        team_id uuid NOT NULL,
        files integer NOT NULL,
        bytes bigint NOT NULL,
        created_at timestamptz(3) NOT NULL,
        expires_at timestamptz(3)
      )`);
    await runner.query('CREATE INDEX sandbox_expiry ON sandbox (expires_at) WHERE expires_at IS NOT NULL');
    await runner.query(`
      CREATE TABLE sandbox_file (
        sandbox_id uuid NOT NULL,
        path text COLLATE "C" NOT NULL,
        key text NOT NULL,
        size_bytes bigint NOT NULL,
        sha256 text NOT NULL,
        updated_at timestamptz(3) NOT NULL,
        PRIMARY KEY (sandbox_id, path)
      )`);
    await runner.query('CREATE INDEX sandbox_file_changed ON sandbox_file (sandbox_id, updated_at)');
    await runner.query(`
      CREATE TABLE file_garbage (
        key text PRIMARY KEY,
        due_at timestamptz(3) NOT NULL,
        taken_at timestamptz(3)
      )`);
    await runner.query('CREATE INDEX file_garbage_due ON file_garbage (due_at)');
    // No query asks who else uses a sandbox that is a run's own.
    await runner.query('CREATE INDEX run_shared_sandbox ON run (sandbox_id) WHERE sandbox_id <> id');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX run_shared_sandbox');
    await runner.query('DROP TABLE file_garbage, sandbox_file, sandbox');
  }
}
