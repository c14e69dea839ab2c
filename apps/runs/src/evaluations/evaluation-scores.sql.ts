export interface ScoresFilter {
  readonly since: Date;
  /** Whether only the rubrics that the team has written count. */
  readonly onlyCustom: boolean;
  readonly buildId: string | undefined;
}

interface Query {
  readonly sql: string;
  readonly parameters: unknown[];
}

/** One row for each day. By hand: a set, from the index alone. */
export function scoreTrend(teamId: string, agentId: string, filter: ScoresFilter): Query {
  const { issues, where, parameters } = conditionsOf(teamId, agentId, filter);
  const sql = `
SELECT to_char(day, 'YYYY-MM-DD') AS date, evaluated, with_issues
  FROM (SELECT (ended_at AT TIME ZONE 'UTC')::date AS day, count(*)::int AS evaluated,
               count(*) FILTER (WHERE ${issues})::int AS with_issues
          FROM run_evaluation WHERE ${where} GROUP BY day) AS days
 ORDER BY day`;
  return { sql, parameters };
}

/** How often each rubric failed. By hand: a set, of the parts of a JSON column. */
export function scoreFlags(teamId: string, agentId: string, filter: ScoresFilter): Query {
  const { issues, where, parameters } = conditionsOf(teamId, agentId, filter);
  const custom = filter.onlyCustom ? `AND result ? 'rubric_id'` : '';
  const sql = `
SELECT flag, (array_agg(title ORDER BY ended_at DESC))[1] AS label, count(*)::int AS count
  FROM (SELECT ended_at, result ->> 'title' AS title,
               coalesce(result ->> 'key', result ->> 'slug', result ->> 'rubric_id') AS flag
          FROM run_evaluation CROSS JOIN LATERAL jsonb_array_elements(results) AS result
         WHERE ${where} AND ${issues} AND result -> 'passed' = 'false' ${custom}) AS failed
 GROUP BY flag ORDER BY count DESC, flag`;
  return { sql, parameters };
}

/** $1: the team, $2: the build. By hand: two counts in one look. */
export const buildScore = `
SELECT count(*)::int AS evaluated, count(*) FILTER (WHERE NOT has_issues)::int AS passed
  FROM run_evaluation WHERE team_id = $1 AND build_id = $2 AND status = 'ready'`;

function conditionsOf(teamId: string, agentId: string, { since, onlyCustom, buildId }: ScoresFilter) {
  const issues = onlyCustom ? 'custom_issues' : 'has_issues';
  const where = [
    `team_id = $1 AND agent_id = $2 AND status = 'ready' AND ended_at >= $3`,
    ...(buildId === undefined ? [] : ['build_id = $4']),
    ...(onlyCustom ? ['custom_issues IS NOT NULL'] : []),
  ].join(' AND ');
  const parameters = [teamId, agentId, since, ...(buildId === undefined ? [] : [buildId])];
  return { issues, where, parameters };
}
