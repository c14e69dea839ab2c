import { drainLane } from '@aos/contracts';
import { JobQueues, type JobToAdd } from '@aos/messaging';
import { Logger } from '@aos/platform';
import { Inject, Injectable } from '@nestjs/common';
import { DrainsHere } from './drains-here.js';
import type { WokenLane } from './lanes.repository.js';

type Job = JobToAdd<typeof drainLane>;

/** Rebuilt jobs get another id after this time: that of a job whose worker died is taken until Redis notices. */
const rebuildEveryMs = 5_000;

/** Sees to it that somebody works on a lane. Nothing rests on it: what gets no job is found by the sweep. */
@Injectable()
export class LaneDispatch {
  constructor(
    @Inject(JobQueues) private readonly queues: JobQueues,
    @Inject(DrainsHere) private readonly here: DrainsHere,
    @Inject(Logger) private readonly logger: Logger,
  ) {}

  /** Something was added or changed. */
  wake(lanes: readonly WokenLane[]): void {
    const elsewhere = lanes.filter(({ id }) => !this.here.wake(id));
    this.add(elsewhere.map(({ id, wakes }) => ({ payload: { lane_id: id }, jobId: `${id}-${wakes}` })));
  }

  /** Something is due later. */
  wakeAt(laneId: string, dueAt: Date): void {
    const delayMs = Math.max(0, dueAt.getTime() - Date.now());
    this.add([{ payload: { lane_id: laneId }, jobId: `${laneId}-at-${dueAt.getTime()}`, delayMs }]);
  }

  /** Something is overdue, and nobody works on it. */
  async rebuild(lanes: readonly WokenLane[]): Promise<void> {
    const round = Math.floor(Date.now() / rebuildEveryMs);
    const jobs = lanes.map(({ id, wakes }) => ({
      payload: { lane_id: id },
      jobId: `${id}-${wakes}-${round}`,
    }));
    if (jobs.length > 0) await this.queues.add(drainLane, ...jobs);
  }

  private add(jobs: readonly Job[]): void {
    if (jobs.length === 0) return;
    this.queues.add(drainLane, ...jobs).catch((error: unknown) => {
      this.logger.warn({ err: error, lanes: jobs.length }, 'lanes of webhooks got no job yet');
    });
  }
}
