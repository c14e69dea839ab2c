import { executeRun } from '@aos/contracts';
import { Processes, type JobRun } from '@aos/messaging';
import { WakeableLoop } from '@aos/persistence';
import { Logger, Shutdown } from '@aos/platform';
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { RunsSettings, type RunsConfig } from '../runs.config.js';
import { leaseShare } from './held-runs.js';
import { RunReconciler } from './run-reconciler.js';
import { RunsHere } from './runs-here.js';

const longestSweepMs = 4_000;

/** Workers of runs, and the loop that brings back what Redis or a dead worker has lost. */
@Injectable()
export class ExecutionJobs implements OnApplicationBootstrap {
  private readonly reconciling: WakeableLoop;

  constructor(
    @Inject(RunsHere) private readonly here: RunsHere,
    @Inject(RunReconciler) reconciler: RunReconciler,
    @Inject(Shutdown) private readonly shutdown: Shutdown,
    @Inject(RunsSettings) settings: RunsConfig,
    @Inject(Logger) logger: Logger,
  ) {
    this.reconciling = new WakeableLoop({
      name: 'the search for abandoned runs',
      idleMs: Math.min(settings.RUN_LEASE_MS / leaseShare, longestSweepMs),
      logger,
      mayBeLeft: true,
      work: () => reconciler.sweep(),
    });
  }

  onApplicationBootstrap(): void {
    this.reconciling.start();
    this.shutdown.add('drain', 'the search for abandoned runs', () => this.reconciling.stop());
  }

  @Processes(executeRun)
  async run({ run_id: runId }: { run_id: string }, { signal }: JobRun): Promise<void> {
    await this.here.execute(runId, signal);
  }
}
