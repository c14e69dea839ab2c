import { drainLane } from '@aos/contracts';
import { JobQueues, type JobToAdd } from '@aos/messaging';
import { Logger } from '@aos/platform';
import { Inject, Injectable } from '@nestjs/common';
import { DrainsHere } from './drains-here.js';
import type { TeamLane } from './lane-slots.js';
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
    this.add(elsewhere.map((lane) => ({ payload: payloadOf(lane), jobId: `${lane.id}-${lane.wakes}` })));
  }

  /** Something is due later. */
  wakeAt(lane: TeamLane, dueAt: Date): void {
    const delayMs = Math.max(0, dueAt.getTime() - Date.now());
    this.add([{ payload: payloadOf(lane), jobId: `${lane.id}-at-${dueAt.getTime()}`, delayMs }]);
  }

  /** Something is overdue, and nobody works on it. */
  async rebuild(lanes: readonly WokenLane[]): Promise<void> {
    const round = Math.floor(Date.now() / rebuildEveryMs);
    const jobs = lanes.map((lane) => ({
      payload: payloadOf(lane),
      jobId: `${lane.id}-${lane.wakes}-${round}`,
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

function payloadOf({ id, team_id }: TeamLane): { lane_id: string; team_id: string } {
  return { lane_id: id, team_id };
}
