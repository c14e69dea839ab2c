import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A run knows the timeline of Postgres on which its history is complete. */
export class Timelines1760000009600 implements MigrationInterface {
  readonly name = 'Timelines1760000009600';

  async up(runner: QueryRunner): Promise<void> {
    // Null where the server does not tell it, as some managed ones and those in recovery.
    await runner.query(`
      CREATE FUNCTION server_timeline() RETURNS text LANGUAGE plpgsql STABLE AS $$
      BEGIN
        RETURN (SELECT system_identifier FROM pg_control_system()) || '/' ||
          left(pg_walfile_name(pg_current_wal_lsn()), 8);
      EXCEPTION WHEN OTHERS THEN
        RETURN NULL;
      END $$`);
    await runner.query('ALTER TABLE run ADD COLUMN timeline text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE run DROP COLUMN timeline');
    await runner.query('DROP FUNCTION server_timeline()');
  }
}
