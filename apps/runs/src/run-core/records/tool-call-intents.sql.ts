/** Part of a statement: a step that runs for each call of `leased`, behind the last stored step. */
export const noteCalls = `
    INSERT INTO run_step (run_id, step_index, name, kind, status, attempts, started_at)
    SELECT run_id, steps + 1, name, 'tool', 'running', attempts, started_at FROM leased WHERE name IS NOT NULL
    ON CONFLICT (run_id, step_index) DO UPDATE SET status = 'running', attempts = excluded.attempts,
      completed_at = NULL, error = NULL`;

/**
 * Records that tool calls are about to be made, many in one statement, as steps that run; the step's end replaces the
 * intent. The lock makes it wait for a worker that takes the run over, and see that the lease is lost. By hand: it works
 * on a set, under the leases of its runs.
 */
export const recordIntents = `
WITH input AS MATERIALIZED (
  SELECT * FROM jsonb_to_recordset($1::jsonb) AS i(
    n int, run_id uuid, token uuid, steps int, name text, attempts int, started_at timestamptz(3))),
  leased AS MATERIALIZED (
    SELECT input.* FROM run JOIN input ON input.run_id = run.id
     WHERE run.lease_token = input.token AND run.status = 'running' AND run.steps = input.steps
     ORDER BY run.id
       FOR SHARE OF run),
  recorded AS (${noteCalls})
SELECT n FROM leased`;

/** The intent at a place among the steps. $1: the run, $2: the place. By hand: read whenever a worker takes a run over. */
export const findIntent = `
SELECT name, attempts FROM run_step WHERE run_id = $1 AND step_index = $2 AND status = 'running'`;
