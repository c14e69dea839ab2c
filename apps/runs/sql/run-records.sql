-- Written by `npm run sql`; do not edit.

-- storedEvent (src/run-core/records/run-records.sql.ts)
SELECT 1 FROM (SELECT run_id, run_seq AS seq, id, event, data, created_at FROM logged_event WHERE run_id IS NOT NULL) AS stored WHERE run_id = $1 AND id = $2;

-- recordIntents (src/run-core/records/run-records.sql.ts)
WITH input AS MATERIALIZED (
  SELECT * FROM jsonb_to_recordset($1::jsonb) AS i(
    n int, run_id uuid, token uuid, steps int, name text, attempts int, started_at timestamptz(3))),
  leased AS MATERIALIZED (
    SELECT input.* FROM run JOIN input ON input.run_id = run.id
     WHERE run.lease_token = input.token AND run.status = 'running' AND run.steps = input.steps
     ORDER BY run.id
       FOR SHARE OF run),
  recorded AS (
    INSERT INTO run_step (run_id, step_index, name, kind, status, attempts, started_at)
    SELECT run_id, steps + 1, name, 'tool', 'running', attempts, started_at FROM leased WHERE name IS NOT NULL
    ON CONFLICT (run_id, step_index) DO UPDATE SET status = 'running', attempts = excluded.attempts,
      completed_at = NULL, error = NULL)
SELECT n FROM leased;
