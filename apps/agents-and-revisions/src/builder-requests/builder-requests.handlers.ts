import {
  acceptRevision,
  discardRevision,
  generateRevision,
  getBuilderRunStatus,
  getRevisionBuilderRun,
  resumeBuilderRun,
  type OperationResponse,
  type Req,
} from '@aos/contracts';
import { Handles } from '@aos/messaging';
import { Controller } from '@nestjs/common';
import { buildAnswer } from '../builds/build.mapper.js';
import { RevisionWarnings } from '../builds/revision-warnings.js';
import { builderRunAnswer, toBuilderRun } from '../builder-runs/builder-run.mapper.js';
import { BuilderRequestsService, type Decided } from './builder-requests.service.js';

@Controller()
export class BuilderRequestsHandlers {
  constructor(
    private readonly builderRuns: BuilderRequestsService,
    private readonly warnings: RevisionWarnings,
  ) {}

  @Handles(generateRevision)
  async generateRevision({ teamId, params, body }: Req<typeof generateRevision>) {
    return builderRunAnswer(await this.builderRuns.generate(teamId, params.build_id, body.prompt));
  }

  @Handles(getRevisionBuilderRun)
  async getRevisionBuilderRun({ teamId, params }: Req<typeof getRevisionBuilderRun>) {
    return builderRunAnswer(await this.builderRuns.latest(teamId, params.build_id));
  }

  @Handles(getBuilderRunStatus)
  async getBuilderRunStatus({ teamId, params }: Req<typeof getBuilderRunStatus>) {
    return builderRunAnswer(await this.builderRuns.get(teamId, params.builder_run_id));
  }

  @Handles(resumeBuilderRun)
  async resumeBuilderRun({ teamId, params, body }: Req<typeof resumeBuilderRun>) {
    return builderRunAnswer(await this.builderRuns.resume(teamId, params.builder_run_id, body.answers));
  }

  @Handles(acceptRevision)
  async acceptRevision({ teamId, params }: Req<typeof acceptRevision>) {
    return this.decidedAnswer(await this.builderRuns.accept(teamId, params.build_id));
  }

  @Handles(discardRevision)
  async discardRevision({ teamId, params }: Req<typeof discardRevision>) {
    return this.decidedAnswer(await this.builderRuns.discard(teamId, params.build_id));
  }

  private decidedAnswer({ build, run }: Decided): OperationResponse<typeof acceptRevision> {
    return { ...buildAnswer(build, this.warnings), builder_run: toBuilderRun(run) };
  }
}
