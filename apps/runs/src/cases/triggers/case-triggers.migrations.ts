import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CaseTriggers1760000007150 implements MigrationInterface {
  readonly name = 'CaseTriggers1760000007150';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE case_trigger (
        id uuid PRIMARY KEY,
        team_id uuid NOT NULL,
        agent_id uuid NOT NULL,
        agent_name text NOT NULL,
        queue_id uuid NOT NULL,
        enabled boolean NOT NULL,
        concurrency integer,
        created_at timestamptz(3) NOT NULL,
        updated_at timestamptz(3) NOT NULL
      )`);
    await runner.query('CREATE UNIQUE INDEX case_trigger_agent ON case_trigger (agent_id)');
    await runner.query('CREATE INDEX case_trigger_queue ON case_trigger (queue_id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE case_trigger');
  }
}
