import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Waiting runs are taken team by team, lost workers are counted, and a run knows how much its messages take. */
export class Execution1760000003800 implements MigrationInterface {
  readonly name = 'Execution1760000003800';

  async up(runner: QueryRunner): Promise<void> {
    // Runs of before count from now on: reading all their messages would take long.
    await runner.query(
      'ALTER TABLE run ADD COLUMN message_bytes bigint NOT NULL DEFAULT 0, ADD COLUMN takeovers integer NOT NULL DEFAULT 0',
    );
    await runner.query('DROP INDEX run_open');
    await runner.query(
      `CREATE INDEX run_open ON run (team_id, queued_at, id) WHERE status IN ('pending', 'running')`,
    );
    // Not by the end of the lease: then each renewal would write to every index of the run.
    await runner.query('CREATE INDEX run_leased ON run (id) WHERE lease_token IS NOT NULL');
    await runner.query(
      `CREATE INDEX run_suspect ON run (queued_at) WHERE takeovers >= 3 AND status = 'running'`,
    );
    await runner.query(
      `CREATE INDEX run_open_sub ON run (parent_run_id) WHERE parent_run_id IS NOT NULL AND status IN ('pending', 'running', 'waiting')`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX run_open_sub, run_suspect, run_leased, run_open');
    await runner.query(`CREATE INDEX run_open ON run (queued_at, id) WHERE status IN ('pending', 'running')`);
    await runner.query('ALTER TABLE run DROP COLUMN takeovers, DROP COLUMN message_bytes');
  }
}
