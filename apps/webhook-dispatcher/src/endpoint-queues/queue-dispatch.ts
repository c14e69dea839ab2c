import { sendEndpointQueue } from '@aos/contracts';
import { JobQueues, type JobToAdd } from '@aos/messaging';
import { Logger } from '@aos/platform';
import { Injectable } from '@nestjs/common';
import { LocalSenders } from './local-senders.js';
import type { TeamQueue } from './queue-admission.js';
import type { WokenQueue } from './endpoint-queues.repository.js';

type Job = JobToAdd<typeof sendEndpointQueue>;

/** Rebuilt jobs get another id after this time: that of a job whose worker died is taken until Redis notices. */
const rebuildEveryMs = 5_000;

/** Wakes a process for a queue. Nothing rests on it: what gets no job is found by the sweep. */
@Injectable()
export class QueueDispatch {
  constructor(
    private readonly queues: JobQueues,
    private readonly here: LocalSenders,
    private readonly logger: Logger,
  ) {}

  /** Something was added or changed. */
  wake(queues: readonly WokenQueue[]): void {
    const elsewhere = queues.filter(({ id }) => !this.here.wake(id));
    this.add(elsewhere.map((queue) => ({ payload: payloadOf(queue), jobId: `${queue.id}-${queue.wakes}` })));
  }

  /** Something is due later. */
  wakeAt(queue: TeamQueue, dueAt: Date, dueInMs: number): void {
    const delayMs = Math.max(0, dueInMs);
    this.add([{ payload: payloadOf(queue), jobId: `${queue.id}-at-${dueAt.getTime()}`, delayMs }]);
  }

  /** Something is overdue, and no process works on it. */
  async rebuild(queues: readonly WokenQueue[]): Promise<void> {
    const round = Math.floor(Date.now() / rebuildEveryMs);
    const jobs = queues.map((queue) => ({
      payload: payloadOf(queue),
      jobId: `${queue.id}-${queue.wakes}-${round}`,
    }));
    if (jobs.length > 0) await this.queues.add(sendEndpointQueue, ...jobs);
  }

  private add(jobs: readonly Job[]): void {
    if (jobs.length === 0) return;
    this.queues.add(sendEndpointQueue, ...jobs).catch((error: unknown) => {
      this.logger.warn(
        { err: error, queues: jobs.length },
        'enqueueing endpoint queues failed; the reconciler will retry',
      );
    });
  }
}

function payloadOf({ id, team_id }: TeamQueue): { queue_id: string; team_id: string } {
  return { queue_id: id, team_id };
}
