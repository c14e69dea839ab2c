import { Module } from '@nestjs/common';
import { AgentsModule } from '../agents/agents.module.js';
import { BuilderRunsModule } from '../builder-runs/builder-runs.module.js';
import { BuildsModule } from '../builds/builds.module.js';
import { RevisionsModule } from '../revisions/revisions.module.js';
import { BuilderRequestsHandlers } from './builder-requests.handlers.js';
import { BuilderRequestsService } from './builder-requests.service.js';

/** Requests on builder runs: start, answer, accept, discard. */
@Module({
  imports: [AgentsModule, BuildsModule, RevisionsModule, BuilderRunsModule],
  controllers: [BuilderRequestsHandlers],
  providers: [BuilderRequestsService],
})
export class BuilderRequestsModule {}
