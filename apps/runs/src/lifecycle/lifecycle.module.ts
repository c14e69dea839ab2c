import { Module } from '@nestjs/common';
import { DeletedAgentsEvents } from './deleted-agents/deleted-agents.events.js';
import { DeletedAgentsRepository } from './deleted-agents/deleted-agents.repository.js';
import { HumanRequestSettling } from './human-requests/human-request-settling.js';
import { HumanRequestDeadlines } from './human-requests/human-requests.deadlines.js';
import { HumanRequestsHandlers } from './human-requests/human-requests.handlers.js';
import { HumanRequestsRepository } from './human-requests/human-requests.repository.js';
import { HumanRequestsService } from './human-requests/human-requests.service.js';
import { MessagesHandlers } from './messages/messages.handlers.js';
import { MessagesRepository } from './messages/messages.repository.js';
import { MessagesService } from './messages/messages.service.js';
import { ReportsHandlers } from './reports/reports.handlers.js';
import { ReportsRepository } from './reports/reports.repository.js';
import { ReportsService } from './reports/reports.service.js';
import { RunEventsHandlers } from './run-events/run-events.handlers.js';
import { RunEventsRepository } from './run-events/run-events.repository.js';
import { RunListHandlers } from './run-list/run-list.handlers.js';
import { RunListRepository } from './run-list/run-list.repository.js';
import { RunListService } from './run-list/run-list.service.js';
import { RunTallySweep } from './run-list/run-tally-sweep.js';
import { RunTallyRepository } from './run-list/run-tally.repository.js';
import { RunStops } from './run-stops/run-stops.js';
import { StopSweeps } from './run-stops/stop-sweeps.js';
import { ScheduledStartsEvents } from './scheduled-starts/scheduled-starts.events.js';
import { ScheduledStartsRepository } from './scheduled-starts/scheduled-starts.repository.js';
import { LeftSubRuns } from './sub-runs/left-sub-runs.js';
import { SubAgents } from './sub-runs/sub-agents.js';
import { SubRunsRepository } from './sub-runs/sub-runs.repository.js';
import { SubRunsService } from './sub-runs/sub-runs.service.js';

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
    LeftSubRuns,
  ],
  exports: [HumanRequestsRepository, RunListService, RunStops, SubRunsService, SubAgents],
})
export class LifecycleModule {}
