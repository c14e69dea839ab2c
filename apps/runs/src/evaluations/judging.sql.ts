import { markIssues } from '../run-core/run-issues.sql.js';

/**
 * Stores the outcomes of many evaluations in one statement. $1: an array of evaluations as they were read, each with
 * the number of its outcome and whether the run itself has to be changed; $2: an array of outcomes. A run whose
 * flags stay as they are is not written to. It waits for no lock: what another statement holds is left for the next
 * time, so that it never stands in the way of a run that ends. By hand, for it works on sets.
 */
export const storeOutcomes = `
WITH input AS MATERIALIZED (
    SELECT * FROM jsonb_to_recordset($1::jsonb)
      AS i(run_id uuid, attempts int, token uuid, ended_at timestamptz(3), n int, flags boolean)),
  outcomes AS MATERIALIZED (
    SELECT sent.n, o.* FROM jsonb_to_recordset($2::jsonb) AS sent(n int, outcome jsonb)
      CROSS JOIN LATERAL jsonb_to_record(sent.outcome)
        AS o(status text, passed int, total int, has_issues boolean, custom_issues boolean, severity text,
             results jsonb)),
  free_runs AS MATERIALIZED (
    SELECT run.id FROM input JOIN run ON run.id = input.run_id WHERE input.flags
       FOR UPDATE OF run SKIP LOCKED),
  free AS MATERIALIZED (
    SELECT evaluation.run_id, input.n, input.flags
      FROM input JOIN run_evaluation AS evaluation ON evaluation.run_id = input.run_id
     WHERE evaluation.status = 'in_progress' AND evaluation.attempts = input.attempts
       AND evaluation.token IS NOT DISTINCT FROM input.token AND evaluation.ended_at = input.ended_at
       AND (NOT input.flags OR input.run_id IN (SELECT id FROM free_runs))
       FOR UPDATE OF evaluation SKIP LOCKED),
  judged AS (
    UPDATE run_evaluation AS evaluation SET
      status = outcomes.status,
      token = NULL,
      passed = outcomes.passed,
      total = outcomes.total,
      has_issues = outcomes.has_issues,
      custom_issues = outcomes.custom_issues,
      results = outcomes.results
      FROM free JOIN outcomes USING (n)
     WHERE evaluation.run_id = free.run_id
    RETURNING evaluation.run_id, free.flags, outcomes.severity),
  flagged AS (${markIssues})
SELECT run_id FROM judged`;
