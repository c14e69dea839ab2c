import type { JobDefinition } from '@aos/contracts';
import { runWithContext, newTraceparent, type Logger } from '@aos/platform';
import { Worker, type Job } from 'bullmq';
import type { RedisConnections } from '../redis/redis-connections.js';
import { jobBackoffMs } from './job-backoff.js';
import { jobPrefix } from './job-queues.js';
import type { JobRun } from './processes.js';

export interface JobProcessor {
  readonly job: JobDefinition;
  /** Typed where it is declared, by `@Processes`. */
  readonly process: (...args: never[]) => Promise<void>;
}

/** A worker that died mid-job is noticed after its lock (30 s) has run out; the job is then given out again. */
const maxStalledCount = 10;

/** The workers of one process, one for each declared job of its service. */
export class JobWorkers {
  private readonly workers: Worker[] = [];
  private readonly ending = new AbortController();

  constructor(
    private readonly connections: RedisConnections,
    private readonly logger: Logger,
  ) {}

  start(processors: readonly JobProcessor[]): void {
    for (const processor of processors) this.workers.push(this.startWorker(processor));
  }

  /** Stops taking jobs, tells those under way to hand back, and waits for them. */
  async close(): Promise<void> {
    this.ending.abort();
    await Promise.all(this.workers.map((worker) => worker.close()));
  }

  private startWorker({ job: definition, process }: JobProcessor): Worker {
    const worker = new Worker(
      definition.name,
      async (job: Job) => {
        const payload = definition.payload.parse(job.data);
        const attempt = job.attemptsMade + 1;
        const run: JobRun = {
          attempt,
          lastAttempt: attempt >= definition.attempts,
          signal: this.ending.signal,
        };
        const context = {
          requestId: job.id ?? definition.name,
          traceparent: newTraceparent(),
          operationId: definition.name,
        };
        await runWithContext(context, () => process(...([payload, run] as never[])));
      },
      {
        connection: this.connections.connect(`worker-${definition.name}`),
        prefix: jobPrefix(this.connections),
        concurrency: definition.concurrency,
        maxStalledCount,
        settings: { backoffStrategy: (failedAttempt) => jobBackoffMs(definition.backoff, failedAttempt) },
      },
    );
    worker.on('error', (error) =>
      this.logger.warn({ err: error, job: definition.name }, 'a job worker failed'),
    );
    worker.on('failed', (job, error) =>
      this.logger.warn({ err: error, job: definition.name, job_id: job?.id }, 'a job failed'),
    );
    return worker;
  }
}
