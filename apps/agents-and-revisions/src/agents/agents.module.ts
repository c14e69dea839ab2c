import { Module } from '@nestjs/common';
import { BuilderActivity } from '../builder-runs/builder-activity.js';
import { MemoryFilesHandlers } from '../memory-files/memory-files.handlers.js';
import { RunMemoryHandlers } from '../memory-files/run-memory.handlers.js';
import { MemoryFilesRepository } from '../memory-files/memory-files.repository.js';
import { MemoryFilesService } from '../memory-files/memory-files.service.js';
import { PromotionGate } from '../revisions/promotion-gate.js';
import { ResolvedBuildsHandlers } from '../revisions/resolved-builds.handlers.js';
import { RevisionsHandlers } from '../revisions/revisions.handlers.js';
import { RevisionsRepository } from '../revisions/revisions.repository.js';
import { RevisionsService } from '../revisions/revisions.service.js';
import { RubricsHandlers } from '../rubrics/rubrics.handlers.js';
import { RubricsRepository } from '../rubrics/rubrics.repository.js';
import { RubricsService } from '../rubrics/rubrics.service.js';
import { Firing } from '../schedules/firing.js';
import { SchedulesEvents } from '../schedules/schedules.events.js';
import { SchedulesHandlers } from '../schedules/schedules.handlers.js';
import { SchedulesJobs } from '../schedules/schedules.jobs.js';
import { SchedulesRepository } from '../schedules/schedules.repository.js';
import { SchedulesService } from '../schedules/schedules.service.js';
import { AgentActivityEvents } from './agent-activity.events.js';
import { AgentsHandlers } from './agents.handlers.js';
import { AgentsRepository } from './agents.repository.js';
import { AgentsService } from './agents.service.js';

/** Agents and what belongs to each: revisions, rubrics, memory, schedules. */
@Module({
  controllers: [
    AgentsHandlers,
    RevisionsHandlers,
    ResolvedBuildsHandlers,
    RubricsHandlers,
    MemoryFilesHandlers,
    RunMemoryHandlers,
    SchedulesHandlers,
  ],
  providers: [
    AgentsService,
    AgentsRepository,
    AgentActivityEvents,
    RevisionsService,
    RevisionsRepository,
    PromotionGate,
    RubricsService,
    RubricsRepository,
    MemoryFilesService,
    MemoryFilesRepository,
    SchedulesService,
    SchedulesRepository,
    SchedulesJobs,
    SchedulesEvents,
    Firing,
    BuilderActivity,
  ],
  exports: [AgentsRepository, RevisionsService, RevisionsRepository],
})
export class AgentsModule {}
