import { sweepSchedules } from '@aos/contracts';
import { JobQueues, Processes } from '@aos/messaging';
import { WakeableLoop } from '@aos/persistence';
import { Logger, Shutdown } from '@aos/platform';
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Firing } from './firing.js';

const sweepEveryMs = 1_000;
const rebuildEveryMs = 5_000;

/**
 * One job scheduler for all schedules: every second one worker looks into Postgres for what is due. Redis keeps
 * only the beat; each replica puts it back if it is gone.
 */
@Injectable()
export class SchedulesJobs implements OnApplicationBootstrap {
  private readonly rebuilding: WakeableLoop;

  constructor(
    @Inject(Firing) private readonly firing: Firing,
    @Inject(JobQueues) private readonly queues: JobQueues,
    @Inject(Shutdown) private readonly shutdown: Shutdown,
    @Inject(Logger) logger: Logger,
  ) {
    this.rebuilding = new WakeableLoop({
      name: 'the schedule beat',
      idleMs: rebuildEveryMs,
      logger,
      mayBeLeft: true,
      work: async () => {
        await this.keepBeat();
        return false;
      },
    });
  }

  onApplicationBootstrap(): void {
    this.rebuilding.start();
    this.shutdown.add('drain', 'the schedule beat', () => this.rebuilding.stop());
  }

  @Processes(sweepSchedules)
  async sweep(): Promise<void> {
    await this.firing.fireDue();
  }

  private async keepBeat(): Promise<void> {
    await this.queues.repeat(sweepSchedules, { everyMs: sweepEveryMs, payload: {} });
  }
}
