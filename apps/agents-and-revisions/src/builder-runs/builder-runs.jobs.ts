import { executeBuilderRun } from '@aos/contracts';
import { Processes, type JobRun } from '@aos/messaging';
import { BackgroundLoops, heartbeatMs } from '@aos/background';
import { Inject, Injectable } from '@nestjs/common';
import { AgentsSettings, type AgentsConfig } from '../config/agents.config.js';
import { BuilderRunDispatch } from './builder-run-dispatch.js';
import { BuilderRunExecution } from './builder-run-execution.js';

const maxSweepMs = 5_000;

/** Workers of builder runs, and the loop that brings jobs back which Redis or a dead worker has lost. */
@Injectable()
export class BuilderRunsJobs {
  constructor(
    private readonly execution: BuilderRunExecution,
    private readonly dispatch: BuilderRunDispatch,
    loops: BackgroundLoops,
    @Inject(AgentsSettings) settings: AgentsConfig,
  ) {
    loops.add({
      name: 'the search for abandoned builder runs',
      idleMs: Math.min(heartbeatMs(settings.BUILDER_LEASE_MS), maxSweepMs),
      isTimed: true,
      mayBeLeft: true,
      work: async () => {
        await this.dispatch.reconcile();
        return false;
      },
    });
  }

  @Processes(executeBuilderRun)
  async run({ builder_run_id: builderRunId }: { builder_run_id: string }, job: JobRun): Promise<void> {
    await this.execution.execute(builderRunId, job);
  }
}
