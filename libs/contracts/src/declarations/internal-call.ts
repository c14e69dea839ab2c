import { z } from 'zod';
import { busEventSchema } from './event.js';
import { idSchema, secretsIn, type Secrets } from '../schemas/common.js';
import type { RoleName, ServiceName } from '../services.js';

/** A request between services that is no part of the public interface. */
export interface InternalCall<Request extends z.ZodType = z.ZodType, Response extends z.ZodType = z.ZodType> {
  readonly name: string;
  /** The service that answers; undefined where every service does. */
  readonly owner: ServiceName | undefined;
  /** The roles that make it; `consumers` are the services that consume events of the one that answers. */
  readonly callers: readonly RoleName[] | 'consumers';
  readonly request: Request;
  readonly response: Response;
  readonly secrets: Secrets;
}

export function defineInternalCall<Request extends z.ZodType, Response extends z.ZodType>(
  input: Omit<InternalCall<Request, Response>, 'owner' | 'secrets'> & { owner?: ServiceName },
): InternalCall<Request, Response> {
  return { owner: undefined, secrets: secretsIn([input.request], input.response), ...input };
}

export function isInternalCall(value: unknown): value is InternalCall {
  return typeof value === 'object' && value !== null && 'request' in value && 'response' in value;
}

/** Answered by every service over the same path that carries its work. */
export const ping = defineInternalCall({
  name: 'internal.ping',
  callers: ['gateway'],
  request: z.object({}),
  response: z.object({ service: z.string(), replica: z.string() }),
});

/** A stretch of a log: everything after a position, until the next epoch begins. */
const logEpochSchema = z.object({ epoch: idSchema, after: z.int().min(0) });

export type LogEpoch = z.output<typeof logEpochSchema>;

/** The owner's log after a position: how a consumer gets what Redis did not bring. */
export const pullEvents = defineInternalCall({
  name: 'internal.pullEvents',
  callers: 'consumers',
  request: z.object({
    after: z.int().min(0),
    limit: z.int().min(1).max(1000),
    /** The epoch that the position belongs to. */
    epoch: idSchema.optional(),
  }),
  response: z.object({
    events: z.array(busEventSchema),
    /** The lowest position still kept; what lies before it was removed by retention. */
    oldest: z.int().nullable(),
    /** Whether there are more; unknown to the version before. */
    more: z.boolean().optional(),
    /** The log's present epoch, no older than the events; unknown to the version before. */
    epoch: idSchema.optional(),
    /** If it is not the one that was asked with: what the log has of them, oldest first. */
    epochs: z.array(logEpochSchema).optional(),
  }),
});
