import type { getEvalScores, OperationResponse, scoreBuild } from '@aos/contracts';
import { Transactions } from '@aos/persistence';
import { Injectable } from '@nestjs/common';
import type { z } from 'zod';
import { RunEntity } from '../run-core/run.entity.js';
import { buildScore, scoreFlags, scoreTrend, type ScoresFilter } from './evaluation-scores.sql.js';

export type EvalScores = OperationResponse<typeof getEvalScores>;

export type BuildScore = z.input<(typeof scoreBuild)['response']>;

/** Not prepared: how many evaluations there are differs much from agent to agent. */
@Injectable()
export class EvaluationScoresRepository {
  constructor(private readonly transactions: Transactions) {}

  /** One row for each day, in UTC, on which runs have ended that were judged; from the index alone. */
  trend(teamId: string, agentId: string, filter: ScoresFilter): Promise<EvalScores['trend']> {
    const { sql, parameters } = scoreTrend(teamId, agentId, filter);
    return this.transactions.query(sql, parameters);
  }

  /** The rubrics that failed, those first that did most often, each with its latest title. */
  flags(teamId: string, agentId: string, filter: ScoresFilter): Promise<EvalScores['flag_distribution']> {
    const { sql, parameters } = scoreFlags(teamId, agentId, filter);
    return this.transactions.query(sql, parameters);
  }

  async ofBuild(teamId: string, buildId: string): Promise<BuildScore> {
    const [score] = await this.transactions.query<BuildScore>(buildScore, [teamId, buildId]);
    return score!;
  }

  /** Whether the agent has ever had a run. */
  hasRuns(teamId: string, agentId: string): Promise<boolean> {
    return this.transactions.repository(RunEntity).existsBy({ team_id: teamId, agent_id: agentId });
  }
}
