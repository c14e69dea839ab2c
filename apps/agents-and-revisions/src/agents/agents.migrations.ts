import type { MigrationInterface, QueryRunner } from 'typeorm';

export class AgentsAndBuilds1760000002000 implements MigrationInterface {
  readonly name = 'AgentsAndBuilds1760000002000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE build (
        id uuid PRIMARY KEY,
        agent_id uuid NOT NULL,
        team_id uuid NOT NULL,
        name text NOT NULL,
        revision_number integer NOT NULL,
        revision_name text,
        revision_description text,
        status text NOT NULL,
        config jsonb NOT NULL,
        parent_build_id uuid,
        previous_live_build_id uuid,
        created_at timestamptz(3) NOT NULL,
        updated_at timestamptz(3) NOT NULL,
        CONSTRAINT build_status_of_agent UNIQUE (id, agent_id, status)
      )`);
    await runner.query(`CREATE UNIQUE INDEX build_one_live ON build (agent_id) WHERE status = 'live'`);
    await runner.query(`CREATE UNIQUE INDEX build_revision ON build (agent_id, revision_number)`);
    await runner.query(`
      CREATE TABLE agent (
        id uuid PRIMARY KEY,
        team_id uuid NOT NULL,
        name text NOT NULL,
        description text,
        agentic_memory_enabled boolean NOT NULL,
        live_build_id uuid NOT NULL,
        live_status text NOT NULL DEFAULT 'live',
        last_revision_number integer NOT NULL,
        last_run_at timestamptz(3),
        deleted_at timestamptz(3),
        created_at timestamptz(3) NOT NULL,
        updated_at timestamptz(3) NOT NULL,
        CONSTRAINT agent_live_status CHECK (live_status = 'live'),
        CONSTRAINT agent_live_build FOREIGN KEY (live_build_id, id, live_status)
          REFERENCES build (id, agent_id, status) DEFERRABLE INITIALLY DEFERRED
      )`);
    await runner.query(`CREATE INDEX agent_team ON agent (team_id, id) WHERE deleted_at IS NULL`);
    await runner.query(`CREATE TABLE team_agent_count (team_id uuid PRIMARY KEY, agents integer NOT NULL)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE team_agent_count, agent, build`);
  }
}
