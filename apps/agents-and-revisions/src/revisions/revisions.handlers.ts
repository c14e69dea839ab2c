import {
  createRevision,
  getRevision,
  listAgentRevisions,
  promoteRevision,
  rollbackAgent,
  updateRevision,
  type OperationResponse,
  type Req,
} from '@aos/contracts';
import { Handles, type CommitStep } from '@aos/messaging';
import { listAnswer } from '@aos/service';
import { Controller } from '@nestjs/common';
import { buildAnswer, toBuild } from '../builds/build.mapper.js';
import { RevisionWarnings } from '../builds/revision-warnings.js';
import { PromotionGate } from './promotion-gate.js';
import { RevisionsService } from './revisions.service.js';

@Controller()
export class RevisionsHandlers {
  constructor(
    private readonly revisions: RevisionsService,
    private readonly gate: PromotionGate,
    private readonly warnings: RevisionWarnings,
  ) {}

  @Handles(listAgentRevisions)
  async listAgentRevisions({ teamId, params, query }: Req<typeof listAgentRevisions>) {
    return listAnswer('builds', await this.revisions.list(teamId, params.agent_id, query), toBuild);
  }

  @Handles(createRevision)
  async createRevision({ teamId, params, body }: Req<typeof createRevision>) {
    const { name, config, source_build_id: sourceBuildId } = body;
    const draft = { name, config, sourceBuildId };
    return buildAnswer(await this.revisions.createDraft(teamId, params.agent_id, draft), this.warnings);
  }

  @Handles(getRevision)
  async getRevision({ teamId, params }: Req<typeof getRevision>) {
    return buildAnswer(
      await this.revisions.getOfAgent(teamId, params.agent_id, params.build_id),
      this.warnings,
    );
  }

  @Handles(updateRevision)
  async updateRevision({ teamId, params, body }: Req<typeof updateRevision>) {
    return buildAnswer(await this.revisions.update(teamId, params.build_id, body), this.warnings);
  }

  @Handles(promoteRevision)
  async promoteRevision({
    teamId,
    params,
    body,
  }: Req<typeof promoteRevision>): Promise<CommitStep<OperationResponse<typeof promoteRevision>>> {
    const { build_id: buildId } = params;
    const build = await this.revisions.get(teamId, buildId);
    const refusal = body.require && (await this.gate.refusal(build, body.require));
    return async () => {
      const promoted = await this.revisions.promote(teamId, buildId, { ...body, refusal });
      return { success: true, ...buildAnswer(promoted, this.warnings) };
    };
  }

  @Handles(rollbackAgent)
  async rollbackAgent({ teamId, params }: Req<typeof rollbackAgent>) {
    const restored = await this.revisions.rollback(teamId, params.agent_id);
    return { success: true as const, ...buildAnswer(restored, this.warnings) };
  }
}
