import { Module } from '@nestjs/common';
import { DeletedAgentsEvents, DeletedAgentsRepository } from './deleted-agents/deleted-agents.events.js';
import { HumanRequestSettling } from './human-requests/human-request-settling.js';
import { HumanRequestDeadlines } from './human-requests/human-requests.deadlines.js';
import { HumanRequestsHandlers } from './human-requests/human-requests.handlers.js';
import { HumanRequestsRepository } from './human-requests/human-requests.repository.js';
import { HumanRequestsService } from './human-requests/human-requests.service.js';
import { MessagesHandlers, MessagesRepository, MessagesService } from './messages/messages.service.js';
import { ReportsHandlers, ReportsRepository, ReportsService } from './reports/reports.service.js';
import { RunEventsHandlers, RunEventsRepository } from './run-events/run-events.handlers.js';
import { RunListHandlers, RunListRepository, RunListService } from './run-list/run-list.service.js';
import { RunTallyRepository, RunTallySweep } from './run-list/run-tally.js';
import { RunStops, StopSweeps } from './run-stops/run-stops.js';
import {
  ScheduledStartsEvents,
  ScheduledStartsRepository,
} from './scheduled-starts/scheduled-starts.events.js';
import {
  OrphanedSubRuns,
  SubAgents,
  SubRunsRepository,
  SubRunsService,
} from './sub-runs/sub-runs.service.js';

/** Everything that happens to runs between start and end: lists, messages, human requests, stops, sub-runs. */
@Module({
  controllers: [HumanRequestsHandlers, MessagesHandlers, ReportsHandlers, RunEventsHandlers, RunListHandlers],
  providers: [
    DeletedAgentsEvents,
    DeletedAgentsRepository,
    HumanRequestsService,
    HumanRequestsRepository,
    HumanRequestSettling,
    HumanRequestDeadlines,
    MessagesService,
    MessagesRepository,
    ReportsService,
    ReportsRepository,
    RunEventsRepository,
    RunListService,
    RunListRepository,
    RunTallyRepository,
    RunTallySweep,
    RunStops,
    StopSweeps,
    ScheduledStartsEvents,
    ScheduledStartsRepository,
    SubRunsService,
    SubRunsRepository,
    SubAgents,
    OrphanedSubRuns,
  ],
  exports: [HumanRequestsRepository, RunListService, RunStops, SubRunsService, SubAgents],
})
export class LifecycleModule {}
