import { sweepSchedules } from '@aos/contracts';
import { JobQueues, Processes } from '@aos/messaging';
import { BackgroundLoops } from '@aos/background';
import { Injectable } from '@nestjs/common';
import { ScheduleRunner } from './schedule-runner.js';

const sweepEveryMs = 1_000;
const rebuildEveryMs = 5_000;

/**
 * One job scheduler for all schedules: every second one worker looks into Postgres for what is due. Redis keeps
 * only the beat; each replica puts it back if it is gone.
 */
@Injectable()
export class SchedulesJobs {
  constructor(
    private readonly runner: ScheduleRunner,
    private readonly queues: JobQueues,
    loops: BackgroundLoops,
  ) {
    loops.add({
      name: 'the schedule beat',
      idleMs: rebuildEveryMs,
      mayBeLeft: true,
      work: async () => {
        await this.keepBeat();
        return false;
      },
    });
  }

  @Processes(sweepSchedules)
  async sweep(): Promise<void> {
    await this.runner.runDue();
  }

  private async keepBeat(): Promise<void> {
    await this.queues.repeat(sweepSchedules, { everyMs: sweepEveryMs, payload: {} });
  }
}
