import { columnsOf } from '@aos/persistence';
import { noteCalls } from '../run-core/records/run-records.sql.js';
import { SandboxEntity } from './sandbox.entities.js';

/**
 * Keys whose bytes are to be deleted by the caller. $1: how many, $2: after how many milliseconds another sweep is taken
 * for dead. By hand: a queue that several take from.
 */
export const takeGarbage = `
UPDATE file_garbage SET taken_at = now() WHERE key IN (
  SELECT key FROM file_garbage
   WHERE due_at <= now() AND (taken_at IS NULL OR taken_at < now() - $2 * interval '1 ms')
   ORDER BY due_at LIMIT $1 FOR UPDATE SKIP LOCKED)
RETURNING key`;

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

const usedByRuns = `EXISTS (SELECT 1 FROM run WHERE run.sandbox_id = sandbox.id AND run.sandbox_id <> run.id)`;

const ownedByRun = `EXISTS (SELECT 1 FROM run WHERE run.id = sandbox.id)`;

/** Expired is what no run uses and no client has renewed, whether or not it was swept yet. */
export const alive = `(sandbox.expires_at IS NULL OR sandbox.expires_at > now() OR ${usedByRuns})`;

/** $1: the team, $2: the sandbox. By hand: read by each step that works with files; a run's own sandbox may have no row. */
export const sandboxExists = `
SELECT 1 FROM sandbox WHERE id = $2 AND team_id = $1 AND ${alive}
 UNION ALL SELECT 1 FROM run WHERE id = $2 AND team_id = $1 AND sandbox_id = id`;

/** $1: the team, $2: the sandbox. By hand: as the one above. */
export const sandboxUsage = `
SELECT files, bytes FROM sandbox WHERE id = $2 AND team_id = $1 AND ${alive}
 UNION ALL SELECT 0, 0 FROM run WHERE id = $2 AND team_id = $1 AND sandbox_id = id
 ORDER BY files DESC LIMIT 1`;

/**
 * One that is not a run's own, so that no sweep takes it before the run that is about to use it is there. $1: the team,
 * $2: the sandbox, $3: milliseconds. By hand: only one that lives, compared and set, at the start of a run.
 */
export const renewSandbox = `
UPDATE sandbox SET expires_at = greatest(expires_at, now() + $3 * interval '1 ms')
 WHERE id = $2 AND team_id = $1 AND (expires_at IS NOT NULL OR NOT ${ownedByRun}) AND ${alive} RETURNING id`;

/** $1: the team, $2: the sandbox. By hand: whether it lives depends on its runs. */
export const lockSandbox = `SELECT ${columnsOf(SandboxEntity)} FROM sandbox WHERE id = $2 AND team_id = $1 AND ${alive} FOR UPDATE`;

/** The row of a run's own sandbox. $1: the team, $2: the run. By hand: of what the run's row says, once. */
export const makeOwnSandbox = `
INSERT INTO sandbox (id, team_id, files, bytes, created_at)
SELECT id, team_id, 0, 0, now() FROM run WHERE id = $2 AND team_id = $1 AND sandbox_id = id
ON CONFLICT (id) DO NOTHING RETURNING ${columnsOf(SandboxEntity)}`;

/**
 * For files that runs write or remove: the runs are still their workers' and stay so, and nothing else changes the sandboxes until
 * the transaction ends. Makes the rows of own sandboxes; one that another has just made is locked by the empty update.
 * $1: an array. Returns those whose run is the worker's. By hand: a set, under the leases of its runs.
 */
export const lockForRuns = `
WITH input AS MATERIALIZED (
  SELECT * FROM jsonb_to_recordset($1::jsonb) AS i(n int, run_id uuid, token uuid, team_id uuid, sandbox_id uuid)),
  leased AS MATERIALIZED (
    SELECT input.n, input.team_id, input.sandbox_id FROM run JOIN input ON input.run_id = run.id
     WHERE run.lease_token = input.token AND run.status = 'running'
       AND run.team_id = input.team_id AND run.sandbox_id = input.sandbox_id
     ORDER BY run.id
       FOR NO KEY UPDATE OF run),
  locked AS MATERIALIZED (
    SELECT sandbox.id FROM sandbox JOIN leased ON leased.sandbox_id = sandbox.id
     ORDER BY sandbox.id
       FOR UPDATE OF sandbox),
  made AS (
    INSERT INTO sandbox (id, team_id, files, bytes, created_at)
    SELECT run.id, run.team_id, 0, 0, now() FROM run JOIN leased ON leased.sandbox_id = run.id
     WHERE run.sandbox_id = run.id AND run.team_id = leased.team_id
       AND NOT EXISTS (SELECT 1 FROM sandbox WHERE sandbox.id = run.id)
     ORDER BY run.id
    ON CONFLICT (id) DO UPDATE SET files = sandbox.files)
-- Always true: what nothing reads is not done, and the rows would not be locked.
SELECT n FROM leased WHERE (SELECT count(*) FROM locked) >= 0`;

/** $1: the sandbox. By hand: read with a run. */
export const countFiles = 'SELECT files FROM sandbox WHERE id = $1';

/** $1: how many. By hand: rows that nobody else has in hand. */
export const lockExpired = `
SELECT id FROM sandbox WHERE expires_at <= now() ORDER BY expires_at LIMIT $1 FOR UPDATE SKIP LOCKED`;

/**
 * Removes those that no run uses. The others live as long as their runs, and are not looked at again until these are
 * deleted. In a statement behind the one that locks them, so that it sees the runs that were deleted before. $1: the
 * sandboxes. By hand: a set; their bytes become garbage in the same statement.
 */
export const removeUnused = `
WITH kept AS (
  UPDATE sandbox SET expires_at = NULL WHERE id = ANY ($1) AND ${usedByRuns}),
gone AS (
  DELETE FROM sandbox WHERE id = ANY ($1) AND NOT ${usedByRuns} RETURNING id),
files AS (
  DELETE FROM sandbox_file USING gone WHERE sandbox_file.sandbox_id = gone.id RETURNING key),
garbage AS (INSERT INTO file_garbage (key, due_at) SELECT key, now() FROM files)
SELECT id FROM gone`;

/**
 * Part of the statement that deletes runs: their own sandboxes expire, and those that lived only as long as they did. The
 * sweep takes the files, unless another run uses them.
 */
export const expiredSandboxes = `sandboxes AS (
    UPDATE sandbox SET expires_at = now()
      FROM (SELECT id, true AS is_own FROM gone
             UNION ALL
            SELECT sandbox_id, false FROM gone
             WHERE NOT EXISTS (SELECT 1 FROM run WHERE run.id = gone.sandbox_id)) AS left_over
     WHERE sandbox.id = left_over.id
       AND (left_over.is_own OR sandbox.expires_at IS NULL OR sandbox.expires_at <= now()))`;
