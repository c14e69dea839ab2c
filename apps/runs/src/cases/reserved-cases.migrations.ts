import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A case may be for one of the agents that work on its queue. */
export class ReservedCases1760000009810 implements MigrationInterface {
  readonly name = 'ReservedCases1760000009810';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE queue_case ADD COLUMN reserved_agent_id uuid');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE queue_case DROP COLUMN reserved_agent_id');
  }
}
