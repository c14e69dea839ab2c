import { executeRun } from '@aos/contracts';
import { Processes, type JobRun } from '@aos/messaging';
import { isStoreUnavailable, WakeableLoop } from '@aos/persistence';
import { Logger, Shutdown } from '@aos/platform';
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { RunsSettings, type RunsConfig } from '../runs.config.js';
import { leaseShare } from './held-runs.js';
import { RunExecution } from './run-execution.js';
import { RunReconciler } from './run-reconciler.js';

const longestSweepMs = 4_000;

/** Workers of runs, and the loop that brings back what Redis or a dead worker has lost. */
@Injectable()
export class ExecutionJobs implements OnApplicationBootstrap {
  private readonly reconciling: WakeableLoop;

  constructor(
    @Inject(RunExecution) private readonly execution: RunExecution,
    @Inject(RunReconciler) reconciler: RunReconciler,
    @Inject(Shutdown) private readonly shutdown: Shutdown,
    @Inject(RunsSettings) settings: RunsConfig,
    @Inject(Logger) private readonly logger: Logger,
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

  /** A job that cannot begin is not tried again here: the reconciler makes a new one. */
  @Processes(executeRun)
  async run({ run_id: runId }: { run_id: string }, job: JobRun): Promise<void> {
    try {
      await this.execution.execute(runId, job);
    } catch (error) {
      const level = isStoreUnavailable(error) ? 'warn' : 'error';
      this.logger[level]({ err: error, run_id: runId }, 'a run could not be taken');
    }
  }
}
