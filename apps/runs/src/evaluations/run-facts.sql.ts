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
