import type { MigrationInterface, QueryRunner } from 'typeorm';

export class HumanRequests1760000003100 implements MigrationInterface {
  readonly name = 'HumanRequests1760000003100';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE human_request (
        id uuid PRIMARY KEY,
        run_id uuid NOT NULL,
        team_id uuid NOT NULL,
        tool_call_id text NOT NULL,
        type text NOT NULL,
        title text NOT NULL,
        description text,
        questions jsonb,
        status text NOT NULL,
        response jsonb,
        votes jsonb NOT NULL,
        assignee text,
        due_at timestamptz(3),
        on_timeout text NOT NULL,
        required_approvals integer NOT NULL,
        responded_at timestamptz(3),
        created_at timestamptz(3) NOT NULL
      )`);
    await runner.query(
      `CREATE UNIQUE INDEX human_request_pending ON human_request (run_id) WHERE status = 'pending'`,
    );
    await runner.query(
      `CREATE INDEX human_request_due ON human_request (due_at) WHERE status = 'pending' AND due_at IS NOT NULL`,
    );
    await runner.query(`CREATE INDEX human_request_run ON human_request (run_id, id)`);
    await runner.query(`CREATE INDEX human_request_team ON human_request (team_id, status, id)`);
    await runner.query(
      `CREATE INDEX human_request_assignee ON human_request (team_id, assignee, status, id)
        WHERE assignee IS NOT NULL`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE human_request`);
  }
}
