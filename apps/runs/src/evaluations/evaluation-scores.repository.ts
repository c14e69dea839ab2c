import type { getEvalScores, OperationResponse, scoreBuild } from '@aos/contracts';
import { Transactions } from '@aos/persistence';
import { Injectable } from '@nestjs/common';
import type { z } from 'zod';

export type EvalScores = OperationResponse<typeof getEvalScores>;

export interface ScoresFilter {
  readonly since: Date;
  /** Whether only the rubrics that the team has written count. */
  readonly onlyCustom: boolean;
  readonly buildId: string | undefined;
}

export type BuildScore = z.input<(typeof scoreBuild)['response']>;

/** Not prepared: how many evaluations there are differs much from agent to agent. */
@Injectable()
export class EvaluationScoresRepository {
  constructor(private readonly transactions: Transactions) {}

  /** One row for each day, in UTC, on which runs have ended that were judged; from the index alone. */
  trend(teamId: string, agentId: string, filter: ScoresFilter): Promise<EvalScores['trend']> {
    const { issues, where, parameters } = conditionsOf(teamId, agentId, filter);
    return this.transactions.query(
      `SELECT to_char(day, 'YYYY-MM-DD') AS date, evaluated, with_issues
         FROM (SELECT (ended_at AT TIME ZONE 'UTC')::date AS day, count(*)::int AS evaluated,
                      count(*) FILTER (WHERE ${issues})::int AS with_issues
                 FROM run_evaluation WHERE ${where} GROUP BY day) AS days
        ORDER BY day`,
      parameters,
    );
  }

  /** The rubrics that failed, those first that did most often, each with its latest title. */
  flags(teamId: string, agentId: string, filter: ScoresFilter): Promise<EvalScores['flag_distribution']> {
    const { issues, where, parameters } = conditionsOf(teamId, agentId, filter);
    const custom = filter.onlyCustom ? `AND result ? 'rubric_id'` : '';
    return this.transactions.query(
      `SELECT flag, (array_agg(title ORDER BY ended_at DESC))[1] AS label, count(*)::int AS count
         FROM (SELECT ended_at, result ->> 'title' AS title,
                      coalesce(result ->> 'key', result ->> 'slug', result ->> 'rubric_id') AS flag
                 FROM run_evaluation CROSS JOIN LATERAL jsonb_array_elements(results) AS result
                WHERE ${where} AND ${issues} AND result -> 'passed' = 'false' ${custom}) AS failed
        GROUP BY flag ORDER BY count DESC, flag`,
      parameters,
    );
  }

  async ofBuild(teamId: string, buildId: string): Promise<BuildScore> {
    const [score] = await this.transactions.query<BuildScore>(
      `SELECT count(*)::int AS evaluated, count(*) FILTER (WHERE NOT has_issues)::int AS passed
         FROM run_evaluation WHERE team_id = $1 AND build_id = $2 AND status = 'ready'`,
      [teamId, buildId],
    );
    return score!;
  }

  /** Whether the agent has ever had a run. */
  async hasRuns(teamId: string, agentId: string): Promise<boolean> {
    const rows = await this.transactions.query(
      'SELECT 1 FROM run WHERE team_id = $1 AND agent_id = $2 LIMIT 1',
      [teamId, agentId],
    );
    return rows.length === 1;
  }
}

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
