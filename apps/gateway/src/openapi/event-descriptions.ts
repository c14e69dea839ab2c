import { eventEnvelopeSchema, type EventDefinition, type EventStream } from '@aos/contracts';
import { z } from 'zod';
import type { JsonSchema } from './json-schema.js';
import type { SchemaComponents } from './schema-components.js';

/** `run.tool_call.completed` → `RunToolCallCompleted`. */
export function pascalCase(eventName: string): string {
  return eventName
    .split(/[._]/)
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join('');
}

/** The envelope of one event with the data that it has. */
export function describeEvent({ name, data }: EventDefinition, components: SchemaComponents): JsonSchema {
  const envelope = eventEnvelopeSchema.extend({ event: z.literal(name), data });
  return components.add(`${pascalCase(name)}Event`, components.use(envelope, 'output'));
}

/** One of several events, discriminated by `event`. */
export function describeEventUnion({ item, events }: EventStream, components: SchemaComponents): JsonSchema {
  const members = events.map((event) => [event.name, describeEvent(event, components)] as const);
  return components.add(item, {
    oneOf: members.map(([, reference]) => reference),
    discriminator: {
      propertyName: 'event',
      mapping: Object.fromEntries(members.map(([event, { $ref }]) => [event, $ref])),
    },
  });
}
