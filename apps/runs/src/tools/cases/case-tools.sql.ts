import { settledClaims } from '../../cases/case-parts.sql.js';

/**
 * A run whose worker is still the one that asks, locked, and the result of a call of it that was made before. $1: the run,
 * $2: the call, $3: the token. By hand: in each call of a case tool, and one look instead of two, since no other worker can
 * make the call while the run is locked.
 */
export const lockCall = `
SELECT run.id, run.team_id, run.agent_id, run.agent_name, run.case_id, made.result AS made
  FROM run LEFT JOIN case_call AS made ON made.run_id = run.id AND made.call_id = $2
 WHERE run.id = $1 AND run.lease_token = $3 AND run.status = 'running' FOR SHARE OF run`;

/** $1: the run, $2: the call, $3: the result. By hand: as the one above. */
export const noteCall = 'INSERT INTO case_call (run_id, call_id, result) VALUES ($1, $2, $3)';

/**
 * Settles the cases of many runs by a call of each, and keeps what came of it: by hand, one statement for the tools of all
 * workers. $1: n, run_id, call_id, token, to_status, reason, event_id, outbox_id, meta. Gives those that were settled. It
 * waits for nothing, so that sets of runs that are changed meanwhile cannot stand in its way and it in theirs: a run or case
 * that somebody has locked is left out, as is one that is not the worker's any more, and a call that was made before.
 */
export const settleCalls = `
WITH input AS MATERIALIZED (
  SELECT * FROM jsonb_to_recordset($1::jsonb) AS i(n int, run_id uuid, call_id text, token uuid, to_status text,
    reason text, event_id uuid, outbox_id uuid, meta jsonb)),
  calling AS MATERIALIZED (
    SELECT input.*, run.case_id FROM input JOIN run ON run.id = input.run_id
     WHERE run.lease_token = input.token AND run.status = 'running'
       AND NOT EXISTS (SELECT FROM case_call AS made WHERE made.run_id = input.run_id AND made.call_id = input.call_id)
       FOR SHARE OF run SKIP LOCKED),
  held AS MATERIALIZED (
    SELECT calling.* FROM calling JOIN queue_case ON queue_case.id = calling.case_id
     WHERE queue_case.claimed_by_run_id = calling.run_id AND queue_case.status = 'pending'
       FOR UPDATE OF queue_case SKIP LOCKED),
  ${settledClaims},
  noted AS (
    INSERT INTO case_call (run_id, call_id, result)
    SELECT run_id, call_id, jsonb_build_object('case_id', case_id, 'status', to_status) FROM held)
SELECT n, case_id, to_status AS status FROM held`;

/** Part of the statement that deletes runs. */
export const deletedCaseCalls = `case_calls AS (DELETE FROM case_call USING gone WHERE case_call.run_id = gone.id)`;
