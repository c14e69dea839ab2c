import type { MigrationInterface, QueryRunner } from 'typeorm';

export class MemoryFiles1760000002200 implements MigrationInterface {
  readonly name = 'MemoryFiles1760000002200';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE memory_file (
        agent_id uuid NOT NULL,
        path text NOT NULL,
        team_id uuid NOT NULL,
        content text NOT NULL,
        size_bytes integer NOT NULL,
        source_run_id uuid,
        updated_at timestamptz(3) NOT NULL,
        PRIMARY KEY (agent_id, path)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE memory_file`);
  }
}
