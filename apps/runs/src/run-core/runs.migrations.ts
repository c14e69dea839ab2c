import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Runs and everything that is written together with them. */
export class Runs1760000003000 implements MigrationInterface {
  readonly name = 'Runs1760000003000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE build_copy (digest text PRIMARY KEY, build jsonb NOT NULL)`);
    // Room in each page, so that a step rewrites the row beside itself and touches no index. Vacuumed often, so that
    // lists can be read from indexes alone.
    await runner.query(`
      CREATE TABLE run (
        id uuid PRIMARY KEY,
        team_id uuid NOT NULL,
        agent_id uuid NOT NULL,
        agent_name text NOT NULL,
        build_id uuid NOT NULL,
        build_digest text NOT NULL,
        title text NOT NULL,
        status text NOT NULL,
        source text NOT NULL,
        sandbox_id uuid NOT NULL,
        user_id uuid,
        schedule_id uuid,
        case_id uuid,
        case_queue_id uuid,
        human_in_the_loop_enabled boolean NOT NULL,
        metadata jsonb NOT NULL,
        result text,
        error jsonb,
        stop_reason text,
        steps integer NOT NULL,
        tool_calls integer NOT NULL,
        input_tokens bigint NOT NULL,
        output_tokens bigint NOT NULL,
        eval_summary jsonb,
        has_issues boolean,
        issue_severity text,
        position integer NOT NULL,
        message_seq integer NOT NULL,
        event_seq integer NOT NULL,
        reopened integer NOT NULL,
        limits_from_steps integer NOT NULL,
        limits_from_tokens bigint NOT NULL,
        active_ms bigint NOT NULL,
        dispatches integer NOT NULL,
        queued_at timestamptz(3) NOT NULL,
        lease_token uuid,
        lease_until timestamptz(3),
        wake_at timestamptz(3),
        created_at timestamptz(3) NOT NULL,
        started_at timestamptz(3),
        completed_at timestamptz(3),
        updated_at timestamptz(3) NOT NULL
      ) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02)`);
    for (const [name, columns, where] of runIndexes) {
      await runner.query(`CREATE INDEX ${name} ON run (${columns})${where ? ` WHERE ${where}` : ''}`);
    }
    await runner.query(`
      CREATE TABLE run_message (
        run_id uuid NOT NULL,
        seq integer NOT NULL,
        id uuid NOT NULL,
        type text NOT NULL,
        role text NOT NULL,
        text_content text,
        tool_call jsonb,
        tool_result jsonb,
        created_at timestamptz(3) NOT NULL,
        PRIMARY KEY (run_id, seq)
      )`);
    await runner.query(`
      CREATE TABLE run_step (
        run_id uuid NOT NULL,
        step_index integer NOT NULL,
        name text NOT NULL,
        kind text NOT NULL,
        status text NOT NULL,
        attempts integer NOT NULL,
        input_tokens integer,
        output_tokens integer,
        tool_calls integer,
        error text,
        started_at timestamptz(3) NOT NULL,
        completed_at timestamptz(3),
        PRIMARY KEY (run_id, step_index)
      )`);
    await runner.query(`
      CREATE TABLE run_event (
        run_id uuid NOT NULL,
        seq integer NOT NULL,
        id uuid NOT NULL,
        event text NOT NULL,
        data jsonb NOT NULL,
        created_at timestamptz(3) NOT NULL,
        PRIMARY KEY (run_id, seq)
      )`);
    await runner.query(`
      CREATE TABLE deleted_agent (
        agent_id uuid PRIMARY KEY,
        team_id uuid NOT NULL,
        deleted_at timestamptz(3) NOT NULL
      )`);
    await runner.query(`CREATE INDEX deleted_agent_time ON deleted_agent (deleted_at)`);
    await runner.query(`
      CREATE TABLE scheduled_start (
        run_id uuid PRIMARY KEY,
        schedule_id uuid NOT NULL,
        agent_id uuid NOT NULL,
        team_id uuid NOT NULL,
        message text,
        attempts integer NOT NULL,
        next_attempt_at timestamptz(3) NOT NULL
      )`);
    await runner.query(`CREATE INDEX scheduled_start_due ON scheduled_start (next_attempt_at)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      `DROP TABLE scheduled_start, deleted_agent, run_event, run_step, run_message, run, build_copy`,
    );
  }
}

const open = `status IN ('pending', 'running', 'waiting')`;
const ended = `status IN ('completed', 'failed', 'stopped')`;

/**
 * What follows `id` is there to be read, not to be sorted by: filters and the other orders need no row for it.
 * Most indexes hold ended runs only, so a start writes 4 of them; with all runs in all of them it took 1.6 times as long.
 */
const runIndexes: readonly (readonly [name: string, columns: string, where?: string])[] = [
  ['run_team_open', 'team_id, status, created_at, id, started_at, completed_at', open],
  ['run_team_agent', 'team_id, agent_id, status, created_at, id, started_at, completed_at'],
  ['run_team_created', 'team_id, status, created_at, id, completed_at, has_issues', ended],
  [
    'run_team_started',
    'team_id, status, started_at, id, completed_at, agent_id, user_id, source, case_queue_id',
    ended,
  ],
  [
    'run_team_completed',
    'team_id, status, completed_at, id, agent_id, user_id, source, case_queue_id',
    ended,
  ],
  [
    'run_team_user',
    'team_id, user_id, status, created_at, id, started_at, completed_at',
    `${ended} AND user_id IS NOT NULL`,
  ],
  ['run_team_source', 'team_id, source, status, created_at, id, started_at, completed_at', ended],
  [
    'run_team_case_queue',
    'team_id, case_queue_id, status, created_at, id, started_at, completed_at',
    `${ended} AND case_queue_id IS NOT NULL`,
  ],
  ['run_team_issues', 'team_id, status, created_at, id, started_at, completed_at, agent_id', 'has_issues'],
  [
    'run_team_severity',
    'team_id, issue_severity, status, created_at, id, started_at, completed_at',
    'issue_severity IS NOT NULL',
  ],
  ['run_open', 'queued_at, id', `status IN ('pending', 'running')`],
];
