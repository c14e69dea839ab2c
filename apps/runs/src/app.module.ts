import { EntitlementsModule } from '@aos/entitlements';
import { FileStoreModule } from '@aos/file-store';
import { Module, type DynamicModule } from '@nestjs/common';
import { ArtifactConnectionsModule } from './artifact-connections/artifact-connections.module.js';
import { ArtifactGenerationModule } from './artifact-generation/artifact-generation.module.js';
import { ArtifactPagesModule } from './artifact-pages/artifact-pages.module.js';
import { ArtifactRefreshModule } from './artifact-refresh/artifact-refresh.module.js';
import { ArtifactsModule } from './artifacts/artifacts.module.js';
import { BrowserModule } from './browser/browser.module.js';
import { CaseBulkModule } from './case-bulk/case-bulk.module.js';
import { claimedCases, settledCases } from './case-core/case-parts.sql.js';
import { CaseDispatchModule } from './case-dispatch/case-dispatch.module.js';
import { CaseExportModule } from './case-export/case-export.module.js';
import { CaseImportModule } from './case-import/case-import.module.js';
import { CaseLabelsModule } from './case-labels/case-labels.module.js';
import { CaseTriggersModule } from './case-triggers/case-triggers.module.js';
import { CasesModule } from './cases/cases.module.js';
import { DeletedAgentsModule } from './deleted-agents/deleted-agents.module.js';
import { refusedOfDeletedAgents } from './deleted-agents/deleted-agents.sql.js';
import { EvaluationsModule } from './evaluations/evaluations.module.js';
import { endedRunEvaluations } from './evaluations/run-evaluations.sql.js';
import { ExecutionModule } from './execution/execution.module.js';
import { HumanRequestsModule } from './human-requests/human-requests.module.js';
import { askedRequests } from './human-requests/human-requests.sql.js';
import { MessagesModule } from './messages/messages.module.js';
import { QueuesModule } from './queues/queues.module.js';
import { PlanUseModule } from './plan-use/plan-use.module.js';
import { ReportsModule } from './reports/reports.module.js';
import { RunCoreModule } from './run-core/run-core.module.js';
import { RunDeletionModule } from './run-deletion/run-deletion.module.js';
import { RunEventsModule } from './run-events/run-events.module.js';
import { RunListModule } from './run-list/run-list.module.js';
import { countedEnds } from './run-list/run-tally.sql.js';
import { searchedTitles } from './run-list/run-titles.sql.js';
import { RunMetricsModule } from './run-metrics/run-metrics.module.js';
import { RunsConfigModule } from './runs-config.module.js';
import type { RunsConfig } from './runs.config.js';
import { RunsModule } from './runs/runs.module.js';
import { SandboxesModule } from './sandboxes/sandboxes.module.js';
import { ScheduledStartsModule } from './scheduled-starts/scheduled-starts.module.js';
import { firedStarts } from './scheduled-starts/scheduled-starts.sql.js';
import { SlotsModule } from './slots/slots.module.js';
import { StorageMeterModule } from './storage-meter/storage-meter.module.js';
import { SubRunsModule } from './sub-runs/sub-runs.module.js';
import { TeamLimitEventsModule } from './team-limits/team-limit-events.module.js';
import { TeamLimitsModule } from './team-limits/team-limits.module.js';
import { ToolsModule } from './tools/tools.module.js';

/** The service: its settings, the core, what implements the core's ports, and its features. */
@Module({})
export class AppModule {
  static forRoot(config: RunsConfig): DynamicModule {
    return {
      module: AppModule,
      imports: [
        RunsConfigModule.forRoot(config),
        FileStoreModule.forRoot(config),
        EntitlementsModule.forRoot(config),
        RunCoreModule.forRoot({
          slots: SlotsModule,
          limits: TeamLimitsModule,
          changeParts: [askedRequests, endedRunEvaluations, countedEnds, settledCases],
          startParts: [refusedOfDeletedAgents, searchedTitles, firedStarts, claimedCases],
        }),
        RunsModule,
        RunListModule,
        RunDeletionModule,
        RunEventsModule,
        MessagesModule,
        HumanRequestsModule,
        ReportsModule,
        EvaluationsModule,
        SandboxesModule,
        BrowserModule,
        ToolsModule,
        SubRunsModule,
        ScheduledStartsModule,
        DeletedAgentsModule,
        QueuesModule,
        CasesModule,
        CaseLabelsModule,
        CaseBulkModule,
        CaseImportModule,
        CaseExportModule,
        CaseTriggersModule,
        CaseDispatchModule,
        ArtifactsModule,
        ArtifactPagesModule,
        ArtifactConnectionsModule,
        ArtifactGenerationModule,
        ArtifactRefreshModule,
        ExecutionModule,
        RunMetricsModule,
        TeamLimitEventsModule,
        StorageMeterModule,
        PlanUseModule,
      ],
    };
  }
}
