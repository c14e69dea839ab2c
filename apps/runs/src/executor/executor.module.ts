import { Module } from '@nestjs/common';
import { CapacityModule } from '../capacity/capacity.module.js';
import { LifecycleModule } from '../lifecycle/lifecycle.module.js';
import { ToolsModule } from '../tools/tools.module.js';
import { EntryWriter } from './entry-writer.js';
import { ExecutionJobs } from './execution.jobs.js';
import { IsolatedRuns } from './isolated-runs.js';
import { RunExecution } from './run-execution.js';
import { RunExecutor } from './run-executor.js';
import { RunHistory } from './run-history.js';
import { RunJournals } from './run-journal.js';
import { RunLeases } from './run-leases.js';
import { RunModels } from './run-models.js';
import { AbandonedRuns, RunReconciler } from './run-reconciler.js';

/** Workers: claim runs and execute them step by step. */
@Module({
  imports: [CapacityModule, LifecycleModule, ToolsModule],
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
  exports: [RunExecution],
})
export class ExecutorModule {}
