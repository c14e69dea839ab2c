import { runWorkers } from '@aos/contracts';
import { entitlementsModel } from '@aos/entitlements';
import type { ServiceDefinition } from '@aos/service';
import { AppModule } from './app.module.js';
import {
  ArtifactConnectionEntity,
  ArtifactEntity,
  ArtifactMessageEntity,
  ArtifactRevisionEntity,
} from './artifacts/artifact.entities.js';
import { artifactTables } from './artifacts/artifacts.tables.sql.js';
import { capacityTables } from './capacity/capacity.tables.sql.js';
import { StorageReportEntity } from './capacity/storage-meter/storage-meter.js';
import { MonthStartsEntity, TeamBudgetEntity } from './capacity/team-limits/team-limits.entities.js';
import { CaseEntity, CaseEventEntity, CaseTallyEntity, CaseTextEntity } from './cases/case.entities.js';
import { caseTables } from './cases/cases.tables.sql.js';
import { CaseLabelEntity, CaseLabelLinkEntity } from './cases/labels/label.entities.js';
import { CaseProgressEntity } from './cases/progress/case-progress.js';
import { QueueEntity, QueueProducerEntity } from './cases/queues/queue.entities.js';
import { CaseTriggerEntity } from './cases/triggers/case-trigger.entity.js';
import { evaluationTables } from './evaluations/evaluations.tables.sql.js';
import { RunEvaluationEntity } from './evaluations/run-evaluation.entity.js';
import { sandboxTables } from './files/files.tables.sql.js';
import { FileGarbageEntity, SandboxEntity, SandboxFileEntity } from './files/sandbox.entities.js';
import { DeletedAgentEntity } from './lifecycle/deleted-agents/deleted-agents.events.js';
import { HumanRequestEntity } from './lifecycle/human-requests/human-request.entity.js';
import { lifecycleTables } from './lifecycle/lifecycle.tables.sql.js';
import { RunTallyEntity, RunTitleEntity } from './lifecycle/run-list/run-list.entities.js';
import { ScheduledStartEntity } from './lifecycle/scheduled-starts/scheduled-start.entity.js';
import { RunMessageEntity, RunStepEntity } from './run-core/records/run-records.entities.js';
import { runTables } from './run-core/run-core.tables.sql.js';
import { RunEntity } from './run-core/run.entity.js';
import { BuildCopyEntity, RunCounterEntity } from './run-core/starts/run-starts.entities.js';
import { carriesRunsOn, type RunsConfig, runsConfigSchema } from './runs.config.js';
import {
  BrowserPageEntity,
  BrowserSessionEntity,
  ScreenshotEntity,
} from './tools/browser/browser.entities.js';
import { CaseCallEntity } from './tools/cases/case-calls.js';
import { toolTables } from './tools/tools.tables.sql.js';

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
    tables: [
      ...runTables,
      ...lifecycleTables,
      ...sandboxTables,
      ...evaluationTables,
      ...toolTables,
      ...caseTables,
      ...capacityTables,
      ...artifactTables,
      ...entitlementsModel.tables,
    ],
  },
  roles: (config) => ({
    role: config.RUN_WORKERS === 'work' ? runWorkers : undefined,
    answersRequests: config.RUN_WORKERS !== 'work',
    takesJobs: carriesRunsOn(config),
  }),
  modules: (config) => [AppModule.forRoot(config)],
};
