import { runWorkers } from '@aos/contracts';
import { entitlementsModel } from '@aos/entitlements';
import type { ServiceDefinition } from '@aos/service';
import { AppModule } from './app.module.js';
import { ArtifactPermission1760000009800 } from './artifacts/artifact-permission.migrations.js';
import {
  ArtifactConnectionEntity,
  ArtifactEntity,
  ArtifactMessageEntity,
  ArtifactRevisionEntity,
} from './artifacts/artifact.entities.js';
import { Artifacts1760000007500 } from './artifacts/artifacts.migrations.js';
import { ArtifactConnections1760000007510 } from './artifacts/connections/artifact-connections.migrations.js';
import { StorageReportEntity } from './capacity/storage-meter/storage-meter.js';
import { StorageMeter1760000007450 } from './capacity/storage-meter/storage-meter.migrations.js';
import { MonthStartsEntity, TeamBudgetEntity } from './capacity/team-limits/team-limits.entities.js';
import { TeamLimits1760000007440 } from './capacity/team-limits/team-limits.migrations.js';
import { Cases1760000007110 } from './cases/case-core.migrations.js';
import { CaseLetters1760000007460 } from './cases/case-letters.migrations.js';
import { CaseEntity, CaseEventEntity, CaseTallyEntity, CaseTextEntity } from './cases/case.entities.js';
import { CaseLabelEntity, CaseLabelLinkEntity } from './cases/labels/label.entities.js';
import { CaseLabels1760000007120 } from './cases/labels/labels.migrations.js';
import { CaseProgressEntity } from './cases/progress/case-progress.js';
import { CaseProgress1760000007140 } from './cases/progress/case-progress.migrations.js';
import { QueueEntity, QueueProducerEntity } from './cases/queues/queue.entities.js';
import { Queues1760000007130 } from './cases/queues/queues.migrations.js';
import { ReservedCases1760000009810 } from './cases/reserved-cases.migrations.js';
import { CaseTriggerEntity } from './cases/triggers/case-trigger.entity.js';
import { CaseTriggers1760000007150 } from './cases/triggers/case-triggers.migrations.js';
import { Evaluations1760000003500 } from './evaluations/evaluations.migrations.js';
import { RunEvaluationEntity } from './evaluations/run-evaluation.entity.js';
import { FileGarbageEntity, SandboxEntity, SandboxFileEntity } from './files/sandbox.entities.js';
import { Sandboxes1760000003400, SandboxesOfTeam1760000004400 } from './files/sandboxes.migrations.js';
import { DeletedAgentEntity } from './lifecycle/deleted-agents/deleted-agent.entity.js';
import { HumanRequestEntity } from './lifecycle/human-requests/human-request.entity.js';
import { HumanRequests1760000003100 } from './lifecycle/human-requests/human-requests.migrations.js';
import { RunTallyEntity, RunTitleEntity } from './lifecycle/run-list/run-list.entities.js';
import { RunList1760000003200 } from './lifecycle/run-list/run-list.migrations.js';
import { ScheduledStartEntity } from './lifecycle/scheduled-starts/scheduled-start.entity.js';
import { SubRuns1760000003600 } from './lifecycle/sub-runs/sub-runs.migrations.js';
import { CaseRuns1760000007100 } from './run-core/case-runs.migrations.js';
import { Timelines1760000009600 } from './run-core/claims/timelines.migrations.js';
import { Execution1760000003800 } from './run-core/execution.migrations.js';
import { RunEventEntity, RunMessageEntity, RunStepEntity } from './run-core/records/run-records.entities.js';
import { ScriptPosition1760000005200 } from './run-core/records/script-position.migrations.js';
import { RunCallbacks1760000003300 } from './run-core/run-callbacks.migrations.js';
import { RunStatistics1760000009510 } from './run-core/run-statistics.migrations.js';
import { RunTraces1760000009300 } from './run-core/run-traces.migrations.js';
import { RunEntity } from './run-core/run.entity.js';
import { Runs1760000003000 } from './run-core/runs.migrations.js';
import {
  RunCounters1760000009820,
  RunNumbers1760000009830,
  UnnumberedRuns1760000009840,
} from './run-core/starts/run-numbers.migrations.js';
import { BuildCopyEntity, RunCounterEntity } from './run-core/starts/run-starts.entities.js';
import { carriesRunsOn, type RunsConfig, runsConfigSchema } from './runs.config.js';
import { RunDeletion1760000003900 } from './runs/deletion/run-deletion.migrations.js';
import {
  BrowserPageEntity,
  BrowserSessionEntity,
  ScreenshotEntity,
} from './tools/browser/browser.entities.js';
import { Browser1760000003700 } from './tools/browser/browser.migrations.js';
import { CaseCallEntity } from './tools/cases/case-call.entity.js';
import { CaseTools1760000007160 } from './tools/cases/case-tools.migrations.js';

export const service: ServiceDefinition<RunsConfig> = {
  name: 'runs',
  configSchema: runsConfigSchema,
  model: {
    entities: [
      RunEntity,
      RunCounterEntity,
      BuildCopyEntity,
      RunMessageEntity,
      RunStepEntity,
      RunEventEntity,
      HumanRequestEntity,
      RunTallyEntity,
      RunTitleEntity,
      RunEvaluationEntity,
      DeletedAgentEntity,
      ScheduledStartEntity,
      SandboxEntity,
      SandboxFileEntity,
      FileGarbageEntity,
      BrowserSessionEntity,
      BrowserPageEntity,
      ScreenshotEntity,
      QueueEntity,
      QueueProducerEntity,
      CaseEntity,
      CaseTextEntity,
      CaseEventEntity,
      CaseTallyEntity,
      CaseLabelEntity,
      CaseLabelLinkEntity,
      CaseTriggerEntity,
      CaseProgressEntity,
      CaseCallEntity,
      ArtifactEntity,
      ArtifactMessageEntity,
      ArtifactRevisionEntity,
      ArtifactConnectionEntity,
      ...entitlementsModel.entities,
      TeamBudgetEntity,
      MonthStartsEntity,
      StorageReportEntity,
    ],
    migrations: [
      Runs1760000003000,
      HumanRequests1760000003100,
      RunList1760000003200,
      RunCallbacks1760000003300,
      Sandboxes1760000003400,
      Evaluations1760000003500,
      SubRuns1760000003600,
      Browser1760000003700,
      Execution1760000003800,
      RunDeletion1760000003900,
      SandboxesOfTeam1760000004400,
      ScriptPosition1760000005200,
      CaseRuns1760000007100,
      Cases1760000007110,
      CaseLabels1760000007120,
      Queues1760000007130,
      CaseProgress1760000007140,
      CaseTriggers1760000007150,
      CaseTools1760000007160,
      ...entitlementsModel.migrations,
      TeamLimits1760000007440,
      StorageMeter1760000007450,
      CaseLetters1760000007460,
      Artifacts1760000007500,
      ArtifactConnections1760000007510,
      RunTraces1760000009300,
      RunStatistics1760000009510,
      Timelines1760000009600,
      ArtifactPermission1760000009800,
      ReservedCases1760000009810,
      RunCounters1760000009820,
      RunNumbers1760000009830,
      UnnumberedRuns1760000009840,
    ],
  },
  roles: (config) => ({
    role: config.RUN_WORKERS === 'work' ? runWorkers : undefined,
    answersRequests: config.RUN_WORKERS !== 'work',
    takesJobs: carriesRunsOn(config),
  }),
  modules: (config) => [AppModule.forRoot(config)],
};
