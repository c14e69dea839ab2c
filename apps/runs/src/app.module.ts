import { BrowserLauncher, findChromium } from '@aos/browser';
import { parseAllowedRanges } from '@aos/egress';
import { FileStoreModule } from '@aos/file-store';
import { Logger } from '@aos/platform';
import { Module, type DynamicModule } from '@nestjs/common';
import { BrowserRecord } from './browser/browser-record.js';
import { BrowserHandlers } from './browser/browser.handlers.js';
import { BrowserRepository } from './browser/browser.repository.js';
import { Browsers, Launcher } from './browser/browsers.js';
import { DeletedAgentsEvents } from './deleted-agents/deleted-agents.events.js';
import { DeletedAgentsRepository } from './deleted-agents/deleted-agents.repository.js';
import { EvaluationsRepository } from './evaluations/evaluations.repository.js';
import { EvaluationsService } from './evaluations/evaluations.service.js';
import { BegunCalls } from './run-core/begun-calls.js';
import { EntryWriter } from './execution/entry-writer.js';
import { ExecutionJobs } from './execution/execution.jobs.js';
import { AbandonedRuns } from './execution/abandoned-runs.js';
import { HeapRoom } from './slots/heap-room.js';
import { IsolatedRuns } from './execution/isolated-runs.js';
import { RunClaims } from './run-core/run-claims.js';
import { RunDispatch } from './run-core/run-dispatch.js';
import { RunExecution } from './execution/run-execution.js';
import { RunModels } from './execution/run-models.js';
import { RunReconciler } from './execution/run-reconciler.js';
import { RunExecutor } from './execution/run-executor.js';
import { RunHistory } from './execution/run-history.js';
import { RunLeases } from './execution/run-leases.js';
import { HumanRequestSettling } from './human-requests/human-request-settling.js';
import { HumanRequestDeadlines } from './human-requests/human-requests.deadlines.js';
import { HumanRequestsHandlers } from './human-requests/human-requests.handlers.js';
import { HumanRequestsRepository } from './human-requests/human-requests.repository.js';
import { HumanRequestsService } from './human-requests/human-requests.service.js';
import { MessagesHandlers } from './messages/messages.handlers.js';
import { MessagesRepository } from './messages/messages.repository.js';
import { MessagesService } from './messages/messages.service.js';
import { RunEventsHandlers } from './run-events/run-events.handlers.js';
import { RunEvents } from './run-core/run-events.js';
import { RunEventsRepository } from './run-events/run-events.repository.js';
import { RunDeletion } from './run-deletion/run-deletion.js';
import { RunDeletionHandlers } from './run-deletion/run-deletion.handlers.js';
import { RunRetention } from './run-deletion/run-retention.js';
import { RunsSettings, type RunsConfig } from './runs.config.js';
import { FileGarbageRepository } from './sandboxes/file-garbage.repository.js';
import { FileSweeps } from './sandboxes/file-sweeps.js';
import { RunFiles } from './sandboxes/run-files.js';
import { SandboxesHandlers } from './sandboxes/sandboxes.handlers.js';
import { SandboxesRepository } from './sandboxes/sandboxes.repository.js';
import { SandboxesService } from './sandboxes/sandboxes.service.js';
import { ScheduledStartsEvents } from './scheduled-starts/scheduled-starts.events.js';
import { ScheduledStartsRepository } from './scheduled-starts/scheduled-starts.repository.js';
import { LeftSubRuns } from './sub-runs/left-sub-runs.js';
import { ParentRuns } from './run-core/parent-runs.js';
import { SubAgents } from './sub-runs/sub-agents.js';
import { SubRunsRepository } from './sub-runs/sub-runs.repository.js';
import { SubRunsService } from './sub-runs/sub-runs.service.js';
import { ToolSetsHandlers } from './tools/tool-sets.handlers.js';
import { ToolSets } from './tools/tool-sets.js';
import { BuildCopies } from './run-core/build-copies.js';
import { CallbackAddresses } from './runs/callback-addresses.js';
import { LiveBuilds } from './live-builds/live-builds.js';
import { RunChanges } from './run-core/run-changes.js';
import { RunStarts } from './run-core/run-starts.js';
import { RunStops } from './run-stops/run-stops.js';
import { RunsHandlers } from './runs/runs.handlers.js';
import { RunDetailsRepository } from './runs/run-details.repository.js';
import { RunsRepository } from './run-core/runs.repository.js';
import { RunsService } from './runs/runs.service.js';

/** What people do with runs: start, read, stop, tell, answer. */
const runs = [
  RunsService,
  RunsRepository,
  RunDetailsRepository,
  RunStarts,
  RunStops,
  RunChanges,
  RunEvents,
  RunEventsRepository,
  EvaluationsService,
  EvaluationsRepository,
  LiveBuilds,
  BuildCopies,
  MessagesService,
  MessagesRepository,
  HumanRequestsService,
  HumanRequestsRepository,
  HumanRequestSettling,
  HumanRequestDeadlines,
  RunDeletion,
  RunRetention,
];

/** What other services tell. */
const told = [DeletedAgentsEvents, DeletedAgentsRepository, ScheduledStartsEvents, ScheduledStartsRepository];

/** What workers do. */
const execution = [
  ExecutionJobs,
  RunExecutor,
  RunExecution,
  RunClaims,
  RunDispatch,
  RunReconciler,
  RunModels,
  BegunCalls,
  RunLeases,
  RunHistory,
  AbandonedRuns,
  IsolatedRuns,
  HeapRoom,
  EntryWriter,
];

/** What runs can do, and what they leave behind. */
const tools = [
  ToolSets,
  SandboxesService,
  SandboxesRepository,
  FileGarbageRepository,
  FileSweeps,
  RunFiles,
  Browsers,
  BrowserRecord,
  BrowserRepository,
  ParentRuns,
  LeftSubRuns,
  SubAgents,
  SubRunsService,
  SubRunsRepository,
];

/** Runs, from their start to their end: what people do with them, and what workers do. */
@Module({})
export class RunsModule {
  static forRoot(config: RunsConfig): DynamicModule {
    return {
      module: RunsModule,
      imports: [FileStoreModule.forRoot(config)],
      controllers: [
        RunsHandlers,
        RunDeletionHandlers,
        MessagesHandlers,
        HumanRequestsHandlers,
        RunEventsHandlers,
        SandboxesHandlers,
        BrowserHandlers,
        ToolSetsHandlers,
      ],
      providers: [
        { provide: RunsSettings, useValue: config },
        { provide: CallbackAddresses, useFactory: () => callbackAddressesOf(config) },
        { provide: Launcher, inject: [Logger], useFactory: (logger: Logger) => launcherOf(config, logger) },
        ...runs,
        ...told,
        ...execution,
        ...tools,
      ],
    };
  }
}

function callbackAddressesOf({ EGRESS_ALLOW_CIDRS: ranges }: RunsConfig): CallbackAddresses {
  return new CallbackAddresses({ allowed: parseAllowedRanges(ranges) });
}

/** Where no Chromium is installed, runs have no browser. */
async function launcherOf(config: RunsConfig, logger: Logger): Promise<BrowserLauncher | undefined> {
  const { CHROMIUM_PATH: configured, PATH: path } = config;
  const executablePath = await findChromium({ configured, path });
  if (executablePath === undefined) return undefined;
  const allowed = parseAllowedRanges(config.EGRESS_ALLOW_CIDRS);
  const sandbox = config.BROWSER_SANDBOX === 'on';
  if (!sandbox) logger.warn('BROWSER_SANDBOX is off: a page that breaks out of Chromium has the machine');
  return new BrowserLauncher({
    ...{ executablePath, egress: { allowed }, path, sandbox },
    onFailedStart: (err) => logger.warn({ err }, 'the browser of a run did not start'),
  });
}
