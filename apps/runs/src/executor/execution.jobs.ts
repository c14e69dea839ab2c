import { BackgroundLoops, heartbeatMs } from '@aos/background';
import { takeRuns } from '@aos/contracts';
import { type JobRun, Processes } from '@aos/messaging';
import { DueRows } from '@aos/persistence';
import { Inject, Injectable } from '@nestjs/common';
import { openRuns } from '../run-core/claims/run-claims.sql.js';
import { carriesRunsOn, type RunsConfig, RunsSettings } from '../runs.config.js';
import { RunExecutor } from './run-executor.js';
import { RunReconciler } from './run-reconciler.js';

const maxSweepMs = 4_000;

/** Wakes the workers by jobs, and by a loop that finds runs lost by Redis or a dead worker. */
@Injectable()
export class ExecutionJobs {
  constructor(
    private readonly executor: RunExecutor,
    reconciler: RunReconciler,
    loops: BackgroundLoops,
    dueRows: DueRows,
    @Inject(RunsSettings) settings: RunsConfig,
  ) {
    if (!carriesRunsOn(settings)) return;
    loops.add({
      name: 'the search for abandoned runs',
      idleMs: Math.min(heartbeatMs(settings.RUN_LEASE_MS), maxSweepMs),
      isTimed: true,
      mayHaveWork: () => dueRows.any(openRuns),
      work: () => reconciler.sweep(),
    });
  }

  @Processes(takeRuns)
  async take({ team_id: teamId }: { team_id: string }, { signal }: JobRun): Promise<void> {
    await this.executor.whenFree(signal);
    this.executor.wake([teamId]);
  }
}
