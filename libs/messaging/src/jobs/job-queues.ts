import type { JobDefinition } from '@aos/contracts';
import { recordedTraceparent } from '@aos/platform';
import { Injectable } from '@nestjs/common';
import { Queue, type JobsOptions } from 'bullmq';
import type { z } from 'zod';
import { RedisConnections, type KeyNames } from '../redis/redis-connections.js';

export interface JobToAdd<J extends JobDefinition> {
  readonly payload: z.input<J['payload']>;
  /**
   * A second job with an id that Redis still keeps is silently dropped, even if the first one failed.
   * It saves work; nothing may depend on it.
   */
  readonly jobId?: string;
  readonly delayMs?: number;
}

/** Typed producers. The payload is checked before it goes to Redis. */
@Injectable()
export class JobQueues {
  private readonly queues = new Map<string, Queue>();

  constructor(private readonly connections: RedisConnections) {}

  async add<J extends JobDefinition>(job: J, ...items: JobToAdd<J>[]): Promise<void> {
    const traceparent = recordedTraceparent();
    // Where BullMQ keeps it, too.
    const traced = traceparent === undefined ? {} : { telemetry: { metadata: traceparent } };
    const jobs = items.map(({ payload, jobId, delayMs }) => ({
      name: job.name,
      data: job.payload.parse(payload) as unknown,
      opts: { ...optionsOf(job), ...traced, jobId, delay: delayMs },
    }));
    await this.queue(job).addBulk(jobs);
  }

  /** Keeps a job coming at an interval. Saying it again changes nothing, so replicas may do so all the time. */
  async repeat<J extends JobDefinition>(
    job: J,
    { everyMs, payload }: { everyMs: number; payload: z.input<J['payload']> },
  ): Promise<void> {
    const template = { name: job.name, data: job.payload.parse(payload) as unknown, opts: optionsOf(job) };
    await this.queue(job).upsertJobScheduler(job.name, { every: everyMs }, template);
  }

  async stopRepeating(job: JobDefinition): Promise<void> {
    await this.queue(job).removeJobScheduler(job.name);
  }

  /** The queue itself, for reconcilers, schedulers and metrics. */
  queue(job: JobDefinition): Queue {
    let queue = this.queues.get(job.name);
    if (!queue) {
      queue = new Queue(job.name, {
        connection: this.connections.jobs,
        prefix: jobPrefix(this.connections),
      });
      queue.on('error', () => undefined);
      this.queues.set(job.name, queue);
    }
    return queue;
  }

  async close(): Promise<void> {
    await Promise.all([...this.queues.values()].map((queue) => queue.close()));
  }
}

export function jobPrefix(names: KeyNames): string {
  return names.key('jobs');
}

function optionsOf(job: JobDefinition): JobsOptions {
  return {
    attempts: job.attempts,
    backoff: { type: 'declared' },
    removeOnComplete: { age: job.keepCompleted.ageSeconds, count: job.keepCompleted.count },
    removeOnFail: { age: job.keepFailed.ageSeconds, count: job.keepFailed.count },
  };
}
