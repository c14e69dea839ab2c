import { executeBuilderRun } from '@aos/contracts';
import { Processes, type JobRun } from '@aos/messaging';
import { WakeableLoop } from '@aos/persistence';
import { Logger, Shutdown } from '@aos/platform';
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { AgentsSettings, type AgentsConfig } from '../agents.config.js';
import { BuilderRunDispatch } from './builder-run-dispatch.js';
import { BuilderRunExecution } from './builder-run-execution.js';
import { leaseShare } from './kept-lease.js';

const longestSweepMs = 5_000;

/** Workers of builder runs, and the loop that brings jobs back which Redis or a dead worker has lost. */
@Injectable()
export class BuilderRunsJobs implements OnApplicationBootstrap {
  private readonly reconciling: WakeableLoop;

  constructor(
    @Inject(BuilderRunExecution) private readonly execution: BuilderRunExecution,
    @Inject(BuilderRunDispatch) private readonly dispatch: BuilderRunDispatch,
    @Inject(Shutdown) private readonly shutdown: Shutdown,
    @Inject(AgentsSettings) settings: AgentsConfig,
    @Inject(Logger) logger: Logger,
  ) {
    this.reconciling = new WakeableLoop({
      name: 'the search for abandoned builder runs',
      idleMs: Math.min(settings.BUILDER_LEASE_MS / leaseShare, longestSweepMs),
      logger,
      mayBeLeft: true,
      work: async () => {
        await this.dispatch.reconcile();
        return false;
      },
    });
  }

  onApplicationBootstrap(): void {
    this.reconciling.start();
    this.shutdown.add('drain', 'builder runs', () => this.reconciling.stop());
  }

  @Processes(executeBuilderRun)
  async run({ builder_run_id: builderRunId }: { builder_run_id: string }, job: JobRun): Promise<void> {
    await this.execution.execute(builderRunId, job);
  }
}
