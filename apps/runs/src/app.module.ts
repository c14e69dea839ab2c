import { EntitlementsModule } from '@aos/entitlements';
import { FileStoreModule } from '@aos/file-store';
import { Module, type DynamicModule } from '@nestjs/common';
import { ArtifactConnectionsModule } from './artifacts/connections/artifact-connections.module.js';
import { ArtifactGenerationModule } from './artifacts/generation/artifact-generation.module.js';
import { ArtifactPagesModule } from './artifacts/pages/artifact-pages.module.js';
import { ArtifactRefreshModule } from './artifacts/refresh/artifact-refresh.module.js';
import { ArtifactsModule } from './artifacts/artifacts.module.js';
import { BrowserModule } from './tools/browser/browser.module.js';
import { CaseBulkModule } from './cases/bulk/case-bulk.module.js';
import { claimedCases, settledCases } from './cases/case-parts.sql.js';
import { CaseDispatchModule } from './cases/dispatch/case-dispatch.module.js';
import { CaseExportModule } from './cases/export/case-export.module.js';
import { CaseImportModule } from './cases/import/case-import.module.js';
import { CaseLabelsModule } from './cases/labels/case-labels.module.js';
import { CaseTriggersModule } from './cases/triggers/case-triggers.module.js';
import { CasesModule } from './cases/cases.module.js';
import { DeletedAgentsModule } from './lifecycle/deleted-agents/deleted-agents.module.js';
import { refusedOfDeletedAgents } from './lifecycle/deleted-agents/deleted-agents.sql.js';
import { EvaluationsModule } from './evaluations/evaluations.module.js';
import { endedRunEvaluations } from './evaluations/run-evaluations.sql.js';
import { ExecutionModule } from './executor/execution.module.js';
import { HumanRequestsModule } from './lifecycle/human-requests/human-requests.module.js';
import { askedRequests } from './lifecycle/human-requests/human-requests.sql.js';
import { MessagesModule } from './lifecycle/messages/messages.module.js';
import { QueuesModule } from './cases/queues/queues.module.js';
import { PlanUseModule } from './cases/plan-use/plan-use.module.js';
import { ReportsModule } from './lifecycle/reports/reports.module.js';
import { RunCoreModule } from './run-core/run-core.module.js';
import { RunDeletionModule } from './runs/deletion/run-deletion.module.js';
import { RunEventsModule } from './lifecycle/run-events/run-events.module.js';
import { RunListModule } from './lifecycle/run-list/run-list.module.js';
import { countedEnds } from './lifecycle/run-list/run-tally.sql.js';
import { searchedTitles } from './lifecycle/run-list/run-titles.sql.js';
import { RunMetricsModule } from './capacity/run-metrics/run-metrics.module.js';
import { RunsConfigModule } from './runs-config.module.js';
import type { RunsConfig } from './runs.config.js';
import { RunsModule } from './runs/runs.module.js';
import { SandboxesModule } from './files/sandboxes.module.js';
import { ScheduledStartsModule } from './lifecycle/scheduled-starts/scheduled-starts.module.js';
import { firedStarts } from './lifecycle/scheduled-starts/scheduled-starts.sql.js';
import { SlotsModule } from './capacity/slots/slots.module.js';
import { StorageMeterModule } from './capacity/storage-meter/storage-meter.module.js';
import { SubRunsModule } from './lifecycle/sub-runs/sub-runs.module.js';
import { TeamLimitEventsModule } from './capacity/team-limits/team-limit-events.module.js';
import { TeamLimitsModule } from './capacity/team-limits/team-limits.module.js';
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
