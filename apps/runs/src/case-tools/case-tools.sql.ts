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

/** Part of the statement that deletes runs. */
export const deletedCaseCalls = `case_calls AS (DELETE FROM case_call USING gone WHERE case_call.run_id = gone.id)`;
