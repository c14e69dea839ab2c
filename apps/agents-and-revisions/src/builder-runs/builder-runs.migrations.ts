import type { MigrationInterface, QueryRunner } from 'typeorm';

export class BuilderRuns1760000002400 implements MigrationInterface {
  readonly name = 'BuilderRuns1760000002400';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE builder_run (
        id uuid PRIMARY KEY,
        team_id uuid NOT NULL,
        agent_id uuid NOT NULL,
        build_id uuid NOT NULL,
        status text NOT NULL,
        phase text NOT NULL,
        prompt text NOT NULL,
        checkpoint_config jsonb NOT NULL,
        draft_config jsonb,
        proposed_config jsonb,
        pending_user_questions jsonb,
        answers jsonb NOT NULL,
        error jsonb,
        failed_attempts integer NOT NULL DEFAULT 0,
        job_id uuid NOT NULL,
        lease_token uuid,
        lease_until timestamptz(3),
        created_at timestamptz(3) NOT NULL,
        started_at timestamptz(3),
        completed_at timestamptz(3)
      )`);
    await runner.query(`CREATE INDEX builder_run_build ON builder_run (build_id, created_at)`);
    await runner.query(`
      CREATE UNIQUE INDEX builder_run_one_active ON builder_run (build_id)
        WHERE status IN ('pending', 'running', 'waiting', 'awaiting_review')`);
    await runner.query(`
      CREATE INDEX builder_run_agent_active ON builder_run (agent_id)
        WHERE status IN ('pending', 'running', 'waiting', 'awaiting_review')`);
    await runner.query(`
      CREATE INDEX builder_run_to_do ON builder_run (id) WHERE status IN ('pending', 'running')`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE builder_run`);
  }
}

/** How many workers a builder run has lost since it last got further. */
export class LostWorkers1760000007620 implements MigrationInterface {
  readonly name = 'LostWorkers1760000007620';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE builder_run ADD COLUMN lost_workers integer NOT NULL DEFAULT 0`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE builder_run DROP COLUMN lost_workers`);
  }
}
