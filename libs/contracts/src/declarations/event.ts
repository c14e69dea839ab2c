import { z } from 'zod';
import { anyObjectSchema, idSchema, timestampSchema } from '../schemas/common.js';
import type { ServiceName } from '../services.js';
import { named } from '../schemas/named.js';

interface EventDefinitionInput<Data extends z.ZodType> {
  readonly name: string;
  /** The service whose outbox holds it. */
  readonly source: string;
  /** `public` events reach webhooks, the pull feed and run streams; `internal` ones only other services. */
  readonly visibility: 'public' | 'internal';
  readonly data: Data;
  /** Services that must have a handler for it; of public ones the dispatcher of webhooks is always one. */
  readonly consumers: readonly string[];
  /** Also sent to the address that a run was started with. */
  readonly callback?: boolean;
  /** Beyond the specification's own: it reaches only subscriptions and filters that name it. */
  readonly onlyByName?: boolean;
  /** Shown in the documentation, and sent as a test; every public event has one. */
  readonly example?: z.input<Data>;
}

export interface EventDefinition<Data extends z.ZodType = z.ZodType> extends EventDefinitionInput<Data> {
  readonly [eventMark]: true;
}

const eventMark = Symbol('event');
const webhookDispatcher: ServiceName = 'webhook-dispatcher';

/** Declares a fact that one service records and others react to. */
export function defineEvent<Data extends z.ZodType>(
  input: EventDefinitionInput<Data>,
): EventDefinition<Data> {
  const consumers = input.visibility === 'public' ? [...input.consumers, webhookDispatcher] : input.consumers;
  return { ...input, consumers, [eventMark]: true };
}

export function isEvent(value: unknown): value is EventDefinition {
  return typeof value === 'object' && value !== null && eventMark in value;
}

/** The envelope as receivers see it. */
export const eventEnvelopeSchema = named(
  'Event',
  z.object({
    id: idSchema,
    event: z.string(),
    created_at: timestampSchema,
    data: z.record(z.string(), z.unknown()),
  }),
);

export type EventEnvelope = z.output<typeof eventEnvelopeSchema>;

const amount = z.int().min(0).optional();

/** Usage caused by the event's change. One event names each amount, so that totals are sums. */
export const eventUsageSchema = z.object({
  /** Absent where no agent has used it. */
  agent_id: idSchema.optional(),
  agent_name: z.string().optional(),
  /** The model whose tokens these are. */
  model: z.string().optional(),
  input_tokens: amount,
  output_tokens: amount,
  tool_calls: amount,
  messages: amount,
  active_ms: amount,
  /** 1 where a run that had ended goes on. */
  reopened: amount,
});

export type EventUsage = z.output<typeof eventUsageSchema>;

/** Travels beside the envelope within the product and is never sent out. */
export const eventMetaSchema = z.object({
  team_id: idSchema.nullable(),
  source: z.string(),
  /** The place in the source's log: 1, 2, 3 … without a gap. */
  position: z.int(),
  /** The stretch of the source's log that the position belongs to; absent in events of the version before. */
  epoch: idSchema.optional(),
  /** The number within the run, for streams that resume. */
  run_seq: z.int().optional(),
  callback_url: z.string().optional(),
  /** Usage, for billing. */
  usage: eventUsageSchema.optional(),
  traceparent: z.string().optional(),
  /** The data is too large for the stream of events; a consumer pulls the event from its owner. */
  without_data: z.boolean().optional(),
});

export type EventMeta = z.output<typeof eventMetaSchema>;

/** The team of an event of a kind that every time concerns one. */
export function teamOf({ team_id, source }: EventMeta): string {
  if (team_id === null) throw new Error(`An event of ${source} lacks its team`);
  return team_id;
}

/** The data is checked against its declaration by who handles the event. */
export const busEventSchema = eventEnvelopeSchema.extend({ data: anyObjectSchema, meta: eventMetaSchema });

export type BusEvent = z.output<typeof busEventSchema>;

/** A bus event whose data has been checked against its declaration. */
export type TypedBusEvent<E extends EventDefinition> = Omit<BusEvent, 'data'> & { data: z.output<E['data']> };
