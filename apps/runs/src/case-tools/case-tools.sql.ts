/** The run of a call, which keeps its lease until the commit. $1: the run, $2: the token. By hand: in each call of a case tool. */
export const lockCallingRun = `
SELECT id, team_id, agent_id, agent_name, case_id FROM run
 WHERE id = $1 AND lease_token = $2 AND status = 'running' FOR SHARE`;

/** $1: the run, $2: the call, $3: the result. By hand: as the one above. */
export const noteCall = 'INSERT INTO case_call (run_id, call_id, result) VALUES ($1, $2, $3)';

/** Part of the statement that deletes runs. */
export const deletedCaseCalls = `case_calls AS (DELETE FROM case_call USING gone WHERE case_call.run_id = gone.id)`;
