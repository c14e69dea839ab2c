import { Module } from '@nestjs/common';
import { AgentsModule } from '../agents/agents.module.js';
import { ScheduleRunner } from './schedule-runner.js';
import { SchedulesEvents } from './schedules.events.js';
import { SchedulesHandlers } from './schedules.handlers.js';
import { SchedulesJobs } from './schedules.jobs.js';
import { SchedulesRepository } from './schedules.repository.js';
import { SchedulesService } from './schedules.service.js';

/** When agents run by themselves. */
@Module({
  imports: [AgentsModule],
  controllers: [SchedulesHandlers],
  providers: [SchedulesService, SchedulesRepository, SchedulesJobs, SchedulesEvents, ScheduleRunner],
  exports: [SchedulesRepository],
})
export class SchedulesModule {}
