import { Module } from '@nestjs/common';
import { BrowserModule } from '../tools/browser/browser.module.js';
import { ConnectionToolsModule } from '../tools/connections/connection-tools.module.js';
import { SlotsModule } from '../capacity/slots/slots.module.js';
import { SubRunsModule } from '../lifecycle/sub-runs/sub-runs.module.js';
import { ToolsModule } from '../tools/tools.module.js';
import { AbandonedRuns } from './abandoned-runs.js';
import { EntryWriter } from './entry-writer.js';
import { ExecutionJobs } from './execution.jobs.js';
import { IsolatedRuns } from './isolated-runs.js';
import { RunExecution } from './run-execution.js';
import { RunExecutor } from './run-executor.js';
import { RunHistory } from './run-history.js';
import { RunJournals } from './run-journal.js';
import { RunLeases } from './run-leases.js';
import { RunModels } from './run-models.js';
import { RunReconciler } from './run-reconciler.js';

/** The workers: they claim runs and carry them on, step by step. */
@Module({
  imports: [SlotsModule, ToolsModule, ConnectionToolsModule, BrowserModule, SubRunsModule],
  providers: [
    ExecutionJobs,
    RunExecutor,
    RunExecution,
    RunReconciler,
    AbandonedRuns,
    IsolatedRuns,
    RunLeases,
    RunModels,
    RunHistory,
    RunJournals,
    EntryWriter,
  ],
})
export class ExecutionModule {}
