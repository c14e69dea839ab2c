import { executeRun } from '@aos/contracts';
import { Processes, type JobRun } from '@aos/messaging';
import { BackgroundLoops } from '@aos/persistence';
import { Inject, Injectable } from '@nestjs/common';
import { RunsSettings, type RunsConfig } from '../runs.config.js';
import { leaseShare } from './held-runs.js';
import { RunReconciler } from './run-reconciler.js';
import { RunsHere } from './runs-here.js';

const longestSweepMs = 4_000;

/** Workers of runs, and the loop that brings back what Redis or a dead worker has lost. */
@Injectable()
export class ExecutionJobs {
  constructor(
    @Inject(RunsHere) private readonly here: RunsHere,
    @Inject(RunReconciler) reconciler: RunReconciler,
    @Inject(BackgroundLoops) loops: BackgroundLoops,
    @Inject(RunsSettings) settings: RunsConfig,
  ) {
    loops.add({
      name: 'the search for abandoned runs',
      idleMs: Math.min(settings.RUN_LEASE_MS / leaseShare, longestSweepMs),
      mayBeLeft: true,
      work: () => reconciler.sweep(),
    });
  }

  @Processes(executeRun)
  async run({ run_id: runId }: { run_id: string }, { signal }: JobRun): Promise<void> {
    await this.here.execute(runId, signal);
  }
}
