import { markIssues } from '../run-core/changes/run-changes.sql.js';

/** How often a call is made before it is given up, by a run's model and by its tools. */
const triesOfACall = 5;

/**
 * The facts of many runs in one statement; `from` gives rows that are called `evaluation`. Each run costs a look into
 * its row, its steps and, if there are more than a turn and one call, its messages, all by their keys. By hand for that.
 */
export function selectFacts(from: string): string {
  return `
SELECT evaluation.run_id, evaluation.team_id, evaluation.build_id, evaluation.attempts, evaluation.token,
       evaluation.ended_at, run.status, coalesce(run.result, '') <> '' AS has_result, run.issue_severity,
       run.build_digest, run.agent_id, steps.failed_tools, steps.given_up, repeated.tool AS repeated_tool
  FROM ${from} JOIN run ON run.id = evaluation.run_id
  CROSS JOIN LATERAL (
    SELECT array_agg(name ORDER BY step_index) FILTER (WHERE kind = 'tool') AS failed_tools,
           array_agg(name ORDER BY step_index) FILTER (WHERE kind IN ('tool', 'model') AND attempts >= ${triesOfACall})
             AS given_up
      FROM run_step WHERE run_step.run_id = evaluation.run_id AND run_step.status = 'failed') AS steps
  LEFT JOIN LATERAL (
    SELECT call ->> 'name' AS tool
      FROM (SELECT tool_call - 'id' AS call, lag(tool_call - 'id') OVER calls AS before
              FROM run_message
             WHERE run.steps > 2 AND run_message.run_id = evaluation.run_id AND type = 'tool_call'
            WINDOW calls AS (ORDER BY seq)) AS called
     WHERE call = before LIMIT 1) AS repeated ON true`;
}

const due = `FROM run_evaluation WHERE status = 'in_progress' AND due_at <= now()`;

/** Whether there is any evaluation that is due. */
export const anyEvaluationDue = `SELECT ${due}`;

/** $1: how many. By hand: a set, with the facts of the runs. */
export const dueEvaluations = selectFacts(`(
  SELECT * ${due} ORDER BY due_at LIMIT $1) AS evaluation`);

/** $1: the runs, $2: milliseconds. By hand: a set, of those that no other statement works on. */
export const putOffEvaluations = `
UPDATE run_evaluation AS evaluation SET token = NULL, due_at = now() + $2 * interval '1 ms'
  FROM (SELECT run_id FROM run_evaluation
         WHERE run_id = ANY ($1::uuid[]) AND status = 'in_progress' AND due_at <= now()
           FOR UPDATE SKIP LOCKED) AS free
 WHERE evaluation.run_id = free.run_id RETURNING evaluation.run_id, evaluation.attempts`;

/** $1: the run, $2: the token of the lease, $3: milliseconds. By hand: compared and set, as the two below. */
export const claimEvaluation = `
UPDATE run_evaluation SET attempts = attempts + 1, token = $2, due_at = now() + $3 * interval '1 ms'
 WHERE run_id = $1 AND status = 'in_progress' AND (token IS NULL OR due_at <= now()) RETURNING run_id`;

/** A run that has ended anew in the meantime has no attempts. */
const isLeased = `run_id = $1 AND token = $2 AND attempts = $3 AND status = 'in_progress'`;

/** $1 to $3: the lease, $4: milliseconds. */
export const extendEvaluation = `
UPDATE run_evaluation SET due_at = now() + $4 * interval '1 ms' WHERE ${isLeased} RETURNING run_id`;

/** $1 to $3: the lease, $4: milliseconds. */
export const handBackEvaluation = `
UPDATE run_evaluation SET due_at = now() + $4 * interval '1 ms', attempts = attempts - 1 WHERE ${isLeased}`;

/** $1: the run. By hand: the facts of the run with it. */
export const claimedEvaluation = `${selectFacts('run_evaluation AS evaluation')} WHERE evaluation.run_id = $1`;

/** The end of a run's messages. $1: the run, $2: how many bytes. By hand: a running sum. */
export const runTranscript = `
SELECT seq, type, role, text_content, tool_call, tool_result
  FROM (SELECT *, sum(coalesce(octet_length(text_content), 0) + coalesce(octet_length(tool_call::text), 0)
                    + coalesce(octet_length(tool_result::text), 0)) OVER (ORDER BY seq DESC) AS bytes
          FROM run_message WHERE run_id = $1) AS message
 WHERE bytes <= $2 ORDER BY seq`;

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
