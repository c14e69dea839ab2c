-- Written by `npm run sql`; do not edit.

-- stageWrites (src/files/sandboxes.sql.ts)
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
  noted AS (
    INSERT INTO run_step (run_id, step_index, name, kind, status, attempts, started_at)
    SELECT run_id, steps + 1, name, 'tool', 'running', attempts, started_at FROM leased WHERE name IS NOT NULL
    ON CONFLICT (run_id, step_index) DO UPDATE SET status = 'running', attempts = excluded.attempts,
      completed_at = NULL, error = NULL),
  staged AS (
    INSERT INTO file_garbage (key, due_at) SELECT key, now() + $2 * interval '1 ms' FROM leased)
SELECT n FROM leased;

-- sandboxExists (src/files/sandboxes.sql.ts)
SELECT 1 FROM sandbox WHERE id = $2 AND team_id = $1 AND (sandbox.expires_at IS NULL OR sandbox.expires_at > now() OR EXISTS (SELECT 1 FROM run WHERE run.sandbox_id = sandbox.id AND run.sandbox_id <> run.id))
 UNION ALL SELECT 1 FROM run WHERE id = $2 AND team_id = $1 AND sandbox_id = id;

-- sandboxUsage (src/files/sandboxes.sql.ts)
SELECT files, bytes FROM sandbox WHERE id = $2 AND team_id = $1 AND (sandbox.expires_at IS NULL OR sandbox.expires_at > now() OR EXISTS (SELECT 1 FROM run WHERE run.sandbox_id = sandbox.id AND run.sandbox_id <> run.id))
 UNION ALL SELECT 0, 0 FROM run WHERE id = $2 AND team_id = $1 AND sandbox_id = id
 ORDER BY files DESC LIMIT 1;

-- renewSandbox (src/files/sandboxes.sql.ts)
UPDATE sandbox SET expires_at = greatest(expires_at, now() + $3 * interval '1 ms')
 WHERE id = $2 AND team_id = $1 AND (expires_at IS NOT NULL OR NOT EXISTS (SELECT 1 FROM run WHERE run.id = sandbox.id)) AND (sandbox.expires_at IS NULL OR sandbox.expires_at > now() OR EXISTS (SELECT 1 FROM run WHERE run.sandbox_id = sandbox.id AND run.sandbox_id <> run.id)) RETURNING id;

-- lockSandbox (src/files/sandboxes.sql.ts)
SELECT id, team_id, files, bytes, created_at, expires_at FROM sandbox WHERE id = $2 AND team_id = $1 AND (sandbox.expires_at IS NULL OR sandbox.expires_at > now() OR EXISTS (SELECT 1 FROM run WHERE run.sandbox_id = sandbox.id AND run.sandbox_id <> run.id)) FOR UPDATE;

-- makeOwnSandbox (src/files/sandboxes.sql.ts)
INSERT INTO sandbox (id, team_id, files, bytes, created_at)
SELECT id, team_id, 0, 0, now() FROM run WHERE id = $2 AND team_id = $1 AND sandbox_id = id
ON CONFLICT (id) DO NOTHING RETURNING id, team_id, files, bytes, created_at, expires_at;

-- removeUnused (src/files/sandboxes.sql.ts)
WITH kept AS (
  UPDATE sandbox SET expires_at = NULL WHERE id = ANY ($1) AND EXISTS (SELECT 1 FROM run WHERE run.sandbox_id = sandbox.id AND run.sandbox_id <> run.id)),
gone AS (
  DELETE FROM sandbox WHERE id = ANY ($1) AND NOT EXISTS (SELECT 1 FROM run WHERE run.sandbox_id = sandbox.id AND run.sandbox_id <> run.id) RETURNING id),
files AS (
  DELETE FROM sandbox_file USING gone WHERE sandbox_file.sandbox_id = gone.id RETURNING key),
garbage AS (INSERT INTO file_garbage (key, due_at) SELECT key, now() FROM files)
SELECT id FROM gone;
