/**
 * The column `postponed_to` of a statement that reads from `run`: the moment to which the run has postponed its case, as
 * the result of that call says it. By hand: one look by the key, and only for runs with a case.
 */
export const postponedTo = `CASE WHEN run.case_id IS NOT NULL THEN (
    SELECT max(result ->> 'postponed_to') FROM case_call WHERE case_call.run_id = run.id) END AS postponed_to`;
