import type { JobDefinition } from '@aos/contracts';
import { noteActivity, type Logger, type SpanDraft, type Tracing, type WorkGate } from '@aos/platform';
import { isNotConnectionError, Worker, type Job } from 'bullmq';
import type { Redis } from 'ioredis';
import type { RedisConnections } from '../redis/redis-connections.js';
import { jobPrefix } from './job-queues.js';
import type { JobRun } from './processes.js';

export interface JobProcessor {
  readonly job: JobDefinition;
  /** Typed where it is declared, by `@Processes`. */
  readonly process: (...args: never[]) => Promise<void>;
}

interface ConnectedWorker {
  readonly worker: Worker;
  readonly redis: Redis;
}

/** How often one job may outlive a worker before it counts as failed. */
const maxStalledCount = 10;
const defaultLockMs = 30_000;
/** How long a worker waits for a job before it asks anew. One that is added wakes it; to ask is what idle workers do. */
const drainDelaySeconds = 10;

export interface JobWorkersOptions {
  readonly connections: RedisConnections;
  /** While it is closed, jobs stay in Redis for other replicas. */
  readonly gate?: WorkGate;
  readonly logger: Logger;
  readonly tracing: Tracing;
  /** A worker that died mid-job is noticed after this time; the job is then given out again. */
  readonly lockMs?: number;
}

/** The workers of one process, one for each declared job of its service. */
export class JobWorkers {
  private readonly workers: ConnectedWorker[] = [];
  private readonly ending = new AbortController();

  constructor(private readonly options: JobWorkersOptions) {}

  start(processors: readonly JobProcessor[]): void {
    for (const processor of processors) this.workers.push(this.startWorker(processor));
    this.options.gate?.onChange({ onClose: () => this.pause(), onOpen: () => this.resume() });
  }

  /** Stops taking jobs, tells those under way to hand back, and waits for them. */
  async close(): Promise<void> {
    this.ending.abort();
    await Promise.all(this.workers.map(closeWorker));
  }

  /** Jobs under way go on. */
  private pause(): void {
    for (const { worker } of this.workers) void worker.pause(true).catch(() => undefined);
  }

  private resume(): void {
    if (this.ending.signal.aborted) return;
    for (const { worker } of this.workers) worker.resume();
  }

  private startWorker({ job: definition, process }: JobProcessor): ConnectedWorker {
    const { connections, lockMs = defaultLockMs, logger, tracing } = this.options;
    const redis = connections.connectForJobs(`worker-${definition.name}`);
    const worker = new Worker(
      definition.name,
      async (job: Job) => {
        // One that comes at an interval comes when there is nothing to do, too.
        if (job.repeatJobKey === undefined) noteActivity();
        const payload = definition.payload.parse(job.data);
        const attempt = job.attemptsMade + 1;
        const run: JobRun = {
          attempt,
          lastAttempt: attempt >= definition.attempts,
          signal: this.ending.signal,
        };
        const { name } = definition;
        const incoming = {
          requestId: job.id ?? name,
          traceparent: job.opts.telemetry?.metadata,
          operationId: name,
        };
        await tracing.within(incoming, spanOf(name, attempt), () => process(...([payload, run] as never[])));
      },
      {
        connection: redis,
        prefix: jobPrefix(connections),
        concurrency: definition.concurrency,
        maxStalledCount,
        lockDuration: lockMs,
        drainDelay: drainDelaySeconds,
        stalledInterval: lockMs,
        settings: { backoffStrategy: (failedAttempt) => jobBackoffMs(definition.backoff, failedAttempt) },
      },
    );
    worker.on('error', (error) => {
      // Each worker would tell of a Redis that is away, twice a second.
      const level = isNotConnectionError(error) ? 'warn' : 'debug';
      logger[level]({ err: error, job: definition.name }, 'a job worker failed');
    });
    worker.on('failed', (job, error) =>
      logger.warn({ err: error, job: definition.name, job_id: job?.id }, 'a job failed'),
    );
    return { worker, redis };
  }
}

/** Without Redis the end of a job cannot be noted, and BullMQ would wait for it: jobs are left to be run again. */
async function closeWorker({ worker, redis }: ConnectedWorker): Promise<void> {
  if (redis.status !== 'ready') return worker.close(true);
  const lost = new Promise<'lost'>((resolve) => redis.once('close', () => resolve('lost')));
  const outcome = await Promise.race([worker.close(), lost]);
  if (outcome === 'lost') worker.disconnect().catch(() => undefined);
}

/** How OpenTelemetry names a message that is processed. */
function spanOf(job: string, attempt: number): SpanDraft {
  return {
    name: `process ${job}`,
    kind: 'consumer',
    attributes: {
      'messaging.system': 'bullmq',
      'messaging.operation.type': 'process',
      'messaging.destination.name': job,
      'aos.job.attempt': attempt,
    },
  };
}

/** Exponential from the first delay up to the largest; the attempt that failed is counted from 1. */
export function jobBackoffMs(backoff: { firstMs: number; maxMs: number }, failedAttempt: number): number {
  return Math.min(backoff.firstMs * 2 ** Math.min(failedAttempt - 1, 30), backoff.maxMs);
}
