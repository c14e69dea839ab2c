import type { getEvalScores, OperationRequest, OperationResponse, scoreBuild } from '@aos/contracts';
import { Transactions } from '@aos/persistence';
import { Injectable } from '@nestjs/common';
import type { z } from 'zod';
import { momentOf } from '../run-core/run-columns.js';
import { RunEntity } from '../run-core/run.entity.js';
import { BuildResolver } from '../run-core/starts/build-resolver.js';
import { buildScore, scoreFlags, type ScoresFilter, scoreTrend } from './evaluation-scores.sql.js';

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

type ScoresQuery = OperationRequest<typeof getEvalScores>['query'];

const defaultSinceMs = 30 * 24 * 3_600_000;

/** How the runs of an agent, or of one build of it, were judged. */
@Injectable()
export class EvaluationScoresService {
  constructor(
    private readonly scores: EvaluationScoresRepository,
    private readonly builds: BuildResolver,
  ) {}

  async ofAgent(teamId: string, agentId: string, query: ScoresQuery): Promise<EvalScores> {
    const filter = {
      since: momentOf(query.since) ?? new Date(Date.now() - defaultSinceMs),
      onlyCustom: query.scope === 'custom',
      buildId: query.revision_id,
    };
    const [trend, flags] = await Promise.all([
      this.scores.trend(teamId, agentId, filter),
      this.scores.flags(teamId, agentId, filter),
    ]);
    if (trend.length === 0) await this.assertAgent(teamId, agentId);
    return {
      total_evaluated: sum(trend.map(({ evaluated }) => evaluated)),
      with_issues: sum(trend.map(({ with_issues }) => with_issues)),
      flag_distribution: flags,
      trend,
    };
  }

  ofBuild(teamId: string, buildId: string): Promise<BuildScore> {
    return this.scores.ofBuild(teamId, buildId);
  }

  /** An agent that has been deleted is known by its runs; one without runs only to the service that owns agents. */
  private async assertAgent(teamId: string, agentId: string): Promise<void> {
    if (await this.scores.hasRuns(teamId, agentId)) return;
    await this.builds.find({ team_id: teamId, agent_id: agentId });
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
