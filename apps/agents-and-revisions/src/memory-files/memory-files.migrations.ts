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

/** Files of before get their numbers when they are looked at: the counter of their agent has to know of them. */
export class MemoryGenerations1760000009800 implements MigrationInterface {
  readonly name = 'MemoryGenerations1760000009800';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE TABLE memory_counter (agent_id uuid PRIMARY KEY, last integer NOT NULL)');
    await runner.query(
      'ALTER TABLE memory_file ADD COLUMN generation integer, ADD COLUMN source_user_id uuid',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE memory_file DROP COLUMN generation, DROP COLUMN source_user_id');
    await runner.query('DROP TABLE memory_counter');
  }
}
