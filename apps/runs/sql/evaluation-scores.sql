-- Written by `npm run sql`; do not edit.

-- scoreTrend (src/evaluations/evaluation-scores.sql.ts)
SELECT to_char(day, 'YYYY-MM-DD') AS date, evaluated, with_issues
  FROM (SELECT (ended_at AT TIME ZONE 'UTC')::date AS day, count(*)::int AS evaluated,
               count(*) FILTER (WHERE custom_issues)::int AS with_issues
          FROM run_evaluation WHERE team_id = $1 AND agent_id = $2 AND status = 'ready' AND ended_at >= $3 AND build_id = $4 AND custom_issues IS NOT NULL GROUP BY day) AS days
 ORDER BY day;

-- scoreFlags (src/evaluations/evaluation-scores.sql.ts)
SELECT flag, (array_agg(title ORDER BY ended_at DESC))[1] AS label, count(*)::int AS count
  FROM (SELECT ended_at, result ->> 'title' AS title,
               coalesce(result ->> 'key', result ->> 'slug', result ->> 'rubric_id') AS flag
          FROM run_evaluation CROSS JOIN LATERAL jsonb_array_elements(results) AS result
         WHERE team_id = $1 AND agent_id = $2 AND status = 'ready' AND ended_at >= $3 AND build_id = $4 AND custom_issues IS NOT NULL AND custom_issues AND result -> 'passed' = 'false' AND result ? 'rubric_id') AS failed
 GROUP BY flag ORDER BY count DESC, flag;
