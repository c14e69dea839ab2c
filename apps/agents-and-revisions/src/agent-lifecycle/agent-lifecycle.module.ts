import { Module } from '@nestjs/common';
import { AgentsModule } from '../agents/agents.module.js';
import { BuilderRunsModule } from '../builder-runs/builder-runs.module.js';
import { BuildsModule } from '../builds/builds.module.js';
import { SchedulesModule } from '../schedules/schedules.module.js';
import { AgentsHandlers } from './agents.handlers.js';
import { AgentsService } from './agents.service.js';
import { PendingApprovals } from './pending-approvals.js';

/** Agents as people see them: made with a first build, listed with what belongs to them, deleted with all of it. */
@Module({
  imports: [AgentsModule, BuildsModule, SchedulesModule, BuilderRunsModule],
  controllers: [AgentsHandlers],
  providers: [AgentsService, PendingApprovals],
})
export class AgentLifecycleModule {}
