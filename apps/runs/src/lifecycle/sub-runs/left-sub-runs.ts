import { runProgress } from '@aos/contracts';
import { Broadcasts } from '@aos/messaging';
import type { WakeableLoop } from '@aos/background';
import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { StopSweeps } from '../run-stops/stop-sweeps.js';
import { SubRunsRepository } from './sub-runs.repository.js';

const lookEveryMs = 5_000;

/** Runs whose parent has failed: their answer is of no use any more, so they are stopped. */
@Injectable()
export class LeftSubRuns implements OnApplicationBootstrap {
  private readonly stopping: WakeableLoop;

  constructor(
    subRuns: SubRunsRepository,
    sweeps: StopSweeps,
    private readonly broadcasts: Broadcasts,
  ) {
    this.stopping = sweeps.add({
      name: 'the end of sub-runs whose parent has failed',
      what: 'the stop of a sub-run',
      idleMs: lookEveryMs,
      gatherMs: 100,
      reason: 'parent_failed',
      find: (limit, except) => subRuns.left(limit, except),
    });
  }

  onApplicationBootstrap(): void {
    this.broadcasts.listen(runProgress, ({ status }) => {
      if (status === 'failed') this.stopping.wake();
    });
  }
}
