import type { z } from 'zod';
import type { ServiceName } from '../services.js';

interface JobDefinitionInput<Payload extends z.ZodType> {
  /** Also the name of its queue; may not contain a colon. */
  readonly name: string;
  /** The service whose workers run it. */
  readonly owner: ServiceName;
  /** Ids only: the row in Postgres is the truth, and what lies in Redis may be read by operators. */
  readonly payload: Payload;
  readonly attempts: number;
  readonly backoff: { readonly firstMs: number; readonly maxMs: number };
  readonly concurrency: number;
  readonly keepCompleted?: { readonly ageSeconds: number; readonly count: number };
  readonly keepFailed?: { readonly ageSeconds: number; readonly count: number };
}

export type JobDefinition<Payload extends z.ZodType = z.ZodType> = Required<JobDefinitionInput<Payload>>;

/**
 * A job that only wakes a worker for a row which is to be worked on. It does not fail, since what comes of the work is in the
 * row, and it is gone when it has ended, so that its id can be used again.
 */
export function defineWakeUpJob<Payload extends z.ZodType>(
  input: Pick<JobDefinitionInput<Payload>, 'name' | 'owner' | 'payload' | 'concurrency'>,
): JobDefinition<Payload> {
  return defineJob({
    ...input,
    attempts: 1,
    backoff: { firstMs: 1_000, maxMs: 1_000 },
    keepCompleted: { ageSeconds: 0, count: 0 },
    keepFailed: { ageSeconds: 3600, count: 100 },
  });
}

/** Declares a kind of background work: payload, retry policy and how long finished jobs are kept. */
export function defineJob<Payload extends z.ZodType>(
  input: JobDefinitionInput<Payload>,
): JobDefinition<Payload> {
  if (input.name.includes(':')) throw new Error(`Job name "${input.name}" contains a colon`);
  return {
    keepCompleted: { ageSeconds: 3600, count: 1000 },
    keepFailed: { ageSeconds: 7 * 24 * 3600, count: 1000 },
    ...input,
  };
}

export function isJob(value: unknown): value is JobDefinition {
  return typeof value === 'object' && value !== null && 'payload' in value && 'attempts' in value;
}
