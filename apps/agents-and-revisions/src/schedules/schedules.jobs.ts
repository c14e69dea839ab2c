import { sweepSchedules } from '@aos/contracts';
import { JobQueues, Processes } from '@aos/messaging';
import { BackgroundLoops } from '@aos/background';
import { Injectable } from '@nestjs/common';
import { ScheduleRunner } from './schedule-runner.js';
import { SchedulesRepository } from './schedules.repository.js';

const sweepEveryMs = 1_000;
const lookEveryMs = 2_000;
/** Several looks, also those of a quiet process, lie within it. */
const soonMs = 12_000;

/**
 * One job scheduler for all schedules: every second one worker looks into Postgres for what is due. Redis keeps only the
 * beat, and only while something is due soon; each replica puts it back if it is gone.
 */
@Injectable()
export class SchedulesJobs {
  /** As far as this replica knows. */
  private isBeating = true;

  constructor(
    private readonly runner: ScheduleRunner,
    private readonly schedules: SchedulesRepository,
    private readonly queues: JobQueues,
    loops: BackgroundLoops,
  ) {
    loops.add({
      name: 'the schedule beat',
      idleMs: lookEveryMs,
      isTimed: true,
      mayBeLeft: true,
      work: async () => {
        await this.keepBeat();
        return false;
      },
    });
  }

  @Processes(sweepSchedules)
  async sweep(): Promise<void> {
    // Another may have begun it, and ended since.
    this.isBeating = true;
    await this.runner.runDue();
  }

  private async keepBeat(): Promise<void> {
    const isWanted = await this.schedules.isAnyDueWithin(soonMs);
    if (isWanted) await this.queues.repeat(sweepSchedules, { everyMs: sweepEveryMs, payload: {} });
    else if (this.isBeating) await this.queues.stopRepeating(sweepSchedules);
    this.isBeating = isWanted;
  }
}
