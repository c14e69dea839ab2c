import type { JobDefinition } from '@aos/contracts';
import type { Metrics } from '@aos/platform';
import type { Queue } from 'bullmq';
import type { JobQueues } from './job-queues.js';

const states = ['waiting', 'prioritized', 'delayed', 'active', 'failed'] as const;
/** Every replica reports the same queues, and each look costs Redis a few commands. */
const lookEveryMs = 5_000;

/** Shows the depth and age of queues, by the name that BullMQ's own exporter gives to the depth. */
export class JobMetrics {
  constructor(
    private readonly queues: JobQueues,
    private readonly metrics: Metrics,
    /** Without Redis the last numbers stay, and a scrape does not wait for it. */
    private readonly isConnected: () => boolean,
  ) {}

  watch(jobs: readonly JobDefinition[]): void {
    if (jobs.length === 0) return;
    const eachQueue = async (look: (queue: Queue) => Promise<void>) => {
      if (!this.isConnected()) return;
      await Promise.allSettled(jobs.map((job) => look(this.queues.queue(job))));
    };
    this.metrics.gauge({
      name: 'bullmq_job_count',
      help: 'Jobs in a queue by state',
      labelNames: ['queue', 'state'],
      maxAgeMs: lookEveryMs,
      collect: (gauge) =>
        eachQueue(async (queue) => {
          const counts = await queue.getJobCounts(...states);
          for (const state of states) gauge.set({ queue: queue.name, state }, counts[state] ?? 0);
        }),
    });
    this.metrics.gauge({
      name: 'aos_job_oldest_waiting_seconds',
      help: 'How long the oldest job that no worker has taken waits in its queue',
      labelNames: ['queue'],
      maxAgeMs: lookEveryMs,
      collect: (gauge) =>
        eachQueue(async (queue) => gauge.set({ queue: queue.name }, await oldestWaitingSeconds(queue))),
    });
  }
}

async function oldestWaitingSeconds(queue: Queue): Promise<number> {
  const [oldest] = await queue.getJobs(['waiting', 'prioritized'], 0, 0, true);
  return oldest ? Math.max(0, (Date.now() - oldest.timestamp) / 1000) : 0;
}
