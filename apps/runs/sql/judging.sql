-- Written by `npm run sql`; do not edit.

-- anyEvaluationDue (src/evaluations/judging.sql.ts)
SELECT FROM run_evaluation WHERE status = 'in_progress' AND due_at <= now();

-- dueEvaluations (src/evaluations/judging.sql.ts)
SELECT evaluation.run_id, evaluation.team_id, evaluation.build_id, evaluation.attempts, evaluation.token,
       evaluation.ended_at, run.status, coalesce(run.result, '') <> '' AS has_result, run.issue_severity,
       run.build_digest, run.agent_id, steps.failed_tools, steps.given_up, repeated.tool AS repeated_tool
  FROM (
  SELECT * FROM run_evaluation WHERE status = 'in_progress' AND due_at <= now() ORDER BY due_at LIMIT $1) AS evaluation JOIN run ON run.id = evaluation.run_id
  CROSS JOIN LATERAL (
    SELECT array_agg(name ORDER BY step_index) FILTER (WHERE kind = 'tool') AS failed_tools,
           array_agg(name ORDER BY step_index) FILTER (WHERE kind IN ('tool', 'model') AND attempts >= 5)
             AS given_up
      FROM run_step WHERE run_step.run_id = evaluation.run_id AND run_step.status = 'failed') AS steps
  LEFT JOIN LATERAL (
    SELECT call ->> 'name' AS tool
      FROM (SELECT tool_call - 'id' AS call, lag(tool_call - 'id') OVER calls AS before
              FROM run_message
             WHERE run.steps > 2 AND run_message.run_id = evaluation.run_id AND type = 'tool_call'
            WINDOW calls AS (ORDER BY seq)) AS called
     WHERE call = before LIMIT 1) AS repeated ON true;

-- extendEvaluation (src/evaluations/judging.sql.ts)
UPDATE run_evaluation SET due_at = now() + $4 * interval '1 ms' WHERE run_id = $1 AND token = $2 AND attempts = $3 AND status = 'in_progress' RETURNING run_id;

-- handBackEvaluation (src/evaluations/judging.sql.ts)
UPDATE run_evaluation SET due_at = now() + $4 * interval '1 ms', attempts = attempts - 1 WHERE run_id = $1 AND token = $2 AND attempts = $3 AND status = 'in_progress';

-- claimedEvaluation (src/evaluations/judging.sql.ts)
SELECT evaluation.run_id, evaluation.team_id, evaluation.build_id, evaluation.attempts, evaluation.token,
       evaluation.ended_at, run.status, coalesce(run.result, '') <> '' AS has_result, run.issue_severity,
       run.build_digest, run.agent_id, steps.failed_tools, steps.given_up, repeated.tool AS repeated_tool
  FROM run_evaluation AS evaluation JOIN run ON run.id = evaluation.run_id
  CROSS JOIN LATERAL (
    SELECT array_agg(name ORDER BY step_index) FILTER (WHERE kind = 'tool') AS failed_tools,
           array_agg(name ORDER BY step_index) FILTER (WHERE kind IN ('tool', 'model') AND attempts >= 5)
             AS given_up
      FROM run_step WHERE run_step.run_id = evaluation.run_id AND run_step.status = 'failed') AS steps
  LEFT JOIN LATERAL (
    SELECT call ->> 'name' AS tool
      FROM (SELECT tool_call - 'id' AS call, lag(tool_call - 'id') OVER calls AS before
              FROM run_message
             WHERE run.steps > 2 AND run_message.run_id = evaluation.run_id AND type = 'tool_call'
            WINDOW calls AS (ORDER BY seq)) AS called
     WHERE call = before LIMIT 1) AS repeated ON true WHERE evaluation.run_id = $1;

-- storeOutcomes (src/evaluations/judging.sql.ts)
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
  flagged AS (
    UPDATE run SET has_issues = CASE WHEN judged.severity IS NOT NULL THEN true END, issue_severity = judged.severity
      FROM judged
     WHERE judged.flags AND run.id = judged.run_id)
SELECT run_id FROM judged;
