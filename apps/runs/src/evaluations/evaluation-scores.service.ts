import type { getEvalScores, OperationRequest } from '@aos/contracts';
import { Injectable } from '@nestjs/common';
import { momentOf } from '../run-core/moment.js';
import { LiveBuilds } from '../run-core/starts/live-builds.js';
import {
  EvaluationScoresRepository,
  type BuildScore,
  type EvalScores,
} from './evaluation-scores.repository.js';

type ScoresQuery = OperationRequest<typeof getEvalScores>['query'];

const defaultSinceMs = 30 * 24 * 3_600_000;

/** How the runs of an agent, or of one build of it, were judged. */
@Injectable()
export class EvaluationScoresService {
  constructor(
    private readonly scores: EvaluationScoresRepository,
    private readonly builds: LiveBuilds,
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
