import { Module } from '@nestjs/common';
import { AgentsModule } from '../agents/agents.module.js';
import { BuilderRunsModule } from '../builder-runs/builder-runs.module.js';
import { BuildsModule } from '../builds/builds.module.js';
import { RubricsModule } from '../rubrics/rubrics.module.js';
import { PromotionGate } from './promotion-gate.js';
import { RevisionsHandlers } from './revisions.handlers.js';
import { RevisionsService } from './revisions.service.js';

/** Drafts, promotions and rollbacks. */
@Module({
  imports: [AgentsModule, BuildsModule, RubricsModule, BuilderRunsModule],
  controllers: [RevisionsHandlers],
  providers: [RevisionsService, PromotionGate],
  exports: [RevisionsService],
})
export class RevisionsModule {}
