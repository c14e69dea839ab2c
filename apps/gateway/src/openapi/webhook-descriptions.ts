import type { EventDefinition } from '@aos/contracts';
import { describeEvent, pascalCase } from './event-descriptions.js';
import type { JsonSchema } from './json-schema.js';
import type { SchemaComponents } from './schema-components.js';

const exampleId = '00000000-0000-7000-8000-00000000000a';
const exampleTime = '2026-07-18T09:30:00.000Z';
const exampleSeconds = Date.parse(exampleTime) / 1_000;

/** The headers of every delivery, for `components.parameters`. */
export const webhookHeaders: Readonly<Record<string, JsonSchema>> = {
  WebhookServiceSignature: header(
    'X-Service-Signature',
    'The time of the attempt, and the hex HMAC-SHA256 of `<t>.<raw body>`, keyed with the whole secret as text. While a replaced secret is still good there is a `v1` for each.',
    { type: 'string', pattern: '^t=[0-9]+(,v1=[0-9a-f]{64})+$' },
  ),
  WebhookServiceEvent: header('X-Service-Event', 'The name of the event', { type: 'string' }),
  WebhookServiceDelivery: header('X-Service-Delivery', 'The `id` of the event, the same at every attempt', {
    type: 'string',
    format: 'uuid',
  }),
  WebhookId: header('webhook-id', 'Standard Webhooks: the `id` of the event', {
    type: 'string',
    format: 'uuid',
  }),
  WebhookTimestamp: header('webhook-timestamp', 'Standard Webhooks: the time of the attempt in seconds', {
    type: 'integer',
    examples: [exampleSeconds],
  }),
  WebhookSignature: header(
    'webhook-signature',
    'Standard Webhooks: the base64 HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<raw body>`, keyed with the bytes that the secret holds in base64 after `whsec_`. While a replaced secret is still good there is one for each, with a space between them.',
    { type: 'string', pattern: '^v1,[A-Za-z0-9+/]{43}=( v1,[A-Za-z0-9+/]{43}=)*$' },
  ),
};

/** Builds `webhooks`: one entry for each event. */
export function describeWebhooks(
  events: readonly EventDefinition[],
  components: SchemaComponents,
): Record<string, JsonSchema> {
  return Object.fromEntries(events.map((event) => [event.name, { post: describe(event, components) }]));
}

function describe(event: EventDefinition, components: SchemaComponents): JsonSchema {
  return {
    operationId: `on${pascalCase(event.name)}`,
    summary: event.name,
    description: event.callback
      ? 'Sent to the webhooks that name it, and to the `webhook_url` of its run.'
      : 'Sent to the webhooks that name it.',
    tags: ['Webhooks'],
    // A delivery is known by its signature; it carries no credential.
    security: [],
    parameters: Object.keys(webhookHeaders).map((name) => ({ $ref: `#/components/parameters/${name}` })),
    requestBody: { required: true, content: { 'application/json': body(event, components) } },
    responses: {
      '2XX': {
        description: 'The receiver took it. Without such an answer within 10 seconds it is sent again later.',
      },
      '410': { description: 'The receiver wants no more: the webhook is disabled.' },
    },
  };
}

function body(event: EventDefinition, components: SchemaComponents): JsonSchema {
  return {
    schema: describeEvent(event, components),
    example: { id: exampleId, event: event.name, created_at: exampleTime, data: event.example },
  };
}

function header(name: string, description: string, schema: JsonSchema): JsonSchema {
  return { name, in: 'header', required: true, description, schema };
}
