import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Queues1760000007130 implements MigrationInterface {
  readonly name = 'Queues1760000007130';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE case_queue (
        id uuid PRIMARY KEY,
        team_id uuid NOT NULL,
        name text NOT NULL,
        description text,
        created_at timestamptz(3) NOT NULL,
        updated_at timestamptz(3) NOT NULL
      )`);
    await runner.query('CREATE UNIQUE INDEX case_queue_name ON case_queue (team_id, name)');
    await runner.query(`
      CREATE TABLE queue_producer (
        queue_id uuid NOT NULL,
        agent_id uuid NOT NULL,
        agent_name text NOT NULL,
        produced_at timestamptz(3) NOT NULL,
        PRIMARY KEY (queue_id, agent_id)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE queue_producer, case_queue');
  }
}
