import {
  getEvalScores,
  getRunEvaluation,
  scoreBuild,
  type OperationRequest,
  type OperationResponse,
} from '@aos/contracts';
import { Handles, HandlesInternal } from '@aos/messaging';
import { Controller, Inject } from '@nestjs/common';
import type { z } from 'zod';
import { EvaluationScoresService } from './evaluation-scores.service.js';
import type { BuildScore } from './evaluation-scores.repository.js';
import { EvaluationsService } from './evaluations.service.js';

@Controller()
export class EvaluationsHandlers {
  constructor(
    @Inject(EvaluationsService) private readonly evaluations: EvaluationsService,
    @Inject(EvaluationScoresService) private readonly scores: EvaluationScoresService,
  ) {}

  @Handles(getRunEvaluation)
  async getRunEvaluation({
    teamId,
    params,
  }: OperationRequest<typeof getRunEvaluation>): Promise<OperationResponse<typeof getRunEvaluation>> {
    return { data: await this.evaluations.get(teamId, params.agentId, params.runId) };
  }

  @Handles(getEvalScores)
  async getEvalScores({
    teamId,
    params,
    query,
  }: OperationRequest<typeof getEvalScores>): Promise<OperationResponse<typeof getEvalScores>> {
    return this.scores.ofAgent(teamId, params.agentId, query);
  }

  @HandlesInternal(scoreBuild)
  async scoreBuild({
    team_id: teamId,
    build_id: buildId,
  }: z.output<(typeof scoreBuild)['request']>): Promise<BuildScore> {
    return this.scores.ofBuild(teamId, buildId);
  }
}
