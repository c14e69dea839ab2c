import { Module } from '@nestjs/common';
import { LiveBuildsModule } from '../../run-core/starts/live-builds.module.js';
import { RunStopsModule } from '../run-stops/run-stops.module.js';
import { LeftSubRuns } from './left-sub-runs.js';
import { SubAgents } from './sub-agents.js';
import { SubRunsRepository } from './sub-runs.repository.js';
import { SubRunsService } from './sub-runs.service.js';

/** Runs that runs start. */
@Module({
  imports: [LiveBuildsModule, RunStopsModule],
  providers: [SubRunsService, SubRunsRepository, SubAgents, LeftSubRuns],
  exports: [SubRunsService, SubAgents],
})
export class SubRunsModule {}
