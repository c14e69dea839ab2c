import { noteCalls } from '../run-core/records/tool-call-intents.sql.js';

/**
 * Notes bytes that runs are about to store, many in one statement, and with them the tool calls that do it: what is noted
 * before a call, and the key that is swept unless it becomes a file. $1: an array, $2: milliseconds until it is swept.
 * Returns those whose run is the worker's. By hand: a set, under the leases of its runs.
 */
export const stageWrites = `
WITH input AS MATERIALIZED (
  SELECT * FROM jsonb_to_recordset($1::jsonb) AS i(
    n int, run_id uuid, token uuid, key text, name text, started_at timestamptz(3))),
  leased AS MATERIALIZED (
    SELECT input.*, run.steps, coalesce(before.attempts, 0) + 1 AS attempts
      FROM run JOIN input ON input.run_id = run.id
      LEFT JOIN run_step AS before
        ON before.run_id = run.id AND before.step_index = run.steps + 1 AND before.status = 'running'
     WHERE run.lease_token = input.token AND run.status = 'running'
     ORDER BY run.id
       FOR SHARE OF run),
  noted AS (${noteCalls}),
  staged AS (
    INSERT INTO file_garbage (key, due_at) SELECT key, now() + $2 * interval '1 ms' FROM leased)
SELECT n FROM leased`;
