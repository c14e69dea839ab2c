import { getEvalScores, getRunEvaluation, type Req, scoreBuild } from '@aos/contracts';
import { Handles, HandlesInternal } from '@aos/messaging';
import { Controller } from '@nestjs/common';
import { type BuildScore, EvaluationScoresService } from './evaluation-scores.service.js';
import { EvaluationsService } from './evaluations.service.js';

@Controller()
export class EvaluationsHandlers {
  constructor(
    private readonly evaluations: EvaluationsService,
    private readonly scores: EvaluationScoresService,
  ) {}

  @Handles(getRunEvaluation)
  async getRunEvaluation({ teamId, params }: Req<typeof getRunEvaluation>) {
    return { data: await this.evaluations.get(teamId, params.agentId, params.runId) };
  }

  @Handles(getEvalScores)
  async getEvalScores({ teamId, params, query }: Req<typeof getEvalScores>) {
    return this.scores.ofAgent(teamId, params.agentId, query);
  }

  @HandlesInternal(scoreBuild)
  async scoreBuild({ team_id: teamId, build_id: buildId }: Req<typeof scoreBuild>): Promise<BuildScore> {
    return this.scores.ofBuild(teamId, buildId);
  }
}
