import { operations, publicEvents } from '@aos/contracts';
import { Validator } from '@seriousme/openapi-schema-validator';
import { z } from 'zod';
import type { JsonSchema } from './json-schema.js';
import { openApiDocument } from './openapi-document.js';

type EventSchema = JsonSchema & { properties: Record<string, JsonSchema>; required: string[] };

interface Body {
  readonly schema: { $ref: string };
  readonly example: { event: string; data: JsonSchema };
}

interface DescribedWebhook {
  readonly operationId: string;
  readonly description: string;
  readonly security: object[];
  readonly parameters: { $ref: string }[];
  readonly requestBody: { required: boolean; content: { 'application/json': Body } };
  readonly responses: Record<string, { description: string }>;
}

const document = openApiDocument(operations, 'https://agents.example.com') as {
  tags: { name: string }[];
  webhooks: Record<string, { post: DescribedWebhook }>;
  components: {
    schemas: Record<string, EventSchema>;
    parameters: Record<string, { name: string; in: string; required: boolean; schema: JsonSchema }>;
  };
};

const described = publicEvents.map(
  (event) => [event.name, event, document.webhooks[event.name]!.post] as const,
);

const headers = [
  'X-Service-Signature',
  'X-Service-Event',
  'X-Service-Delivery',
  'webhook-id',
  'webhook-timestamp',
  'webhook-signature',
];

function headerOf(name: string): JsonSchema {
  return Object.values(document.components.parameters).find((parameter) => parameter.name === name)!.schema;
}

/** The schema that is referred to, with all that it refers to. */
function withDefinitions({ $ref }: { $ref: string }): EventSchema {
  const schema = document.components.schemas[$ref.split('/').at(-1)!]!;
  const text = JSON.stringify({ ...schema, $defs: document.components.schemas });
  return JSON.parse(text.replaceAll('#/components/schemas/', '#/$defs/')) as EventSchema;
}

function fits(schema: JsonSchema, value: unknown): boolean {
  return z.fromJSONSchema(schema).safeParse(value).success;
}

describe('the webhooks of the OpenAPI document', () => {
  it('are the public events and no others, each with a name of its own', () => {
    expect(Object.keys(document.webhooks)).toEqual(publicEvents.map(({ name }) => name));
    for (const path of Object.values(document.webhooks)) expect(Object.keys(path)).toEqual(['post']);
    const ids = Object.values(document.webhooks).map(({ post }) => post.operationId);
    expect(ids).toContain('onRunToolCallCompleted');
    const all = [...ids, ...operations.map(({ operationId }) => operationId)];
    expect(new Set(all).size).toBe(all.length);
  });

  it.each(described)('%s: an envelope, with an example that is one', (name, event, { requestBody }) => {
    expect(requestBody.required).toBe(true);
    const { schema: reference, example } = requestBody.content['application/json'];
    const schema = withDefinitions(reference);
    expect(Object.keys(schema.properties)).toEqual(['id', 'event', 'created_at', 'data']);
    expect([...schema.required].sort()).toEqual(['created_at', 'data', 'event', 'id']);
    expect(schema.properties['event']).toMatchObject({ const: name });
    expect(example.data).toEqual(event.example);
    expect(fits(schema, example)).toBe(true);
    for (const field of ['id', 'event', 'created_at', 'data']) {
      expect([field, fits(schema, { ...example, [field]: 'anything' })]).toEqual([field, false]);
    }
    const [firstField] = Object.keys(example.data);
    expect(fits(schema, { ...example, data: { ...example.data, [firstField!]: undefined } })).toBe(false);
    // Receivers are not to refuse what later revisions add.
    expect(fits(schema, { ...example, data: { ...example.data, added_later: 1 } })).toBe(true);
  });

  it.each(described)('%s: signed, without a credential, taken with 2xx', (_, event, post) => {
    const parameters = post.parameters.map(
      ({ $ref }) => document.components.parameters[$ref.replace('#/components/parameters/', '')],
    );
    expect(parameters).toEqual(
      headers.map((name) => expect.objectContaining({ name, in: 'header', required: true })),
    );
    expect(post.security).toEqual([]);
    expect(Object.keys(post.responses).sort()).toEqual(['2XX', '410']);
    expect(post.description.includes('webhook_url')).toBe(event.callback === true);
  });

  it('tell what signatures look like, also while two secrets are good', () => {
    const hex = 'a'.repeat(64);
    const base64 = `${'A/+'.repeat(14)}A=`;
    expect(fits(headerOf('X-Service-Signature'), `t=1784367000,v1=${hex}`)).toBe(true);
    expect(fits(headerOf('X-Service-Signature'), `t=1784367000,v1=${hex},v1=${hex}`)).toBe(true);
    expect(fits(headerOf('X-Service-Signature'), 't=1784367000')).toBe(false);
    expect(fits(headerOf('webhook-signature'), `v1,${base64}`)).toBe(true);
    expect(fits(headerOf('webhook-signature'), `v1,${base64} v1,${base64}`)).toBe(true);
    expect(fits(headerOf('webhook-signature'), `v1,${hex}`)).toBe(false);
  });

  it('are part of what the validator looks at', async () => {
    const broken = structuredClone(document);
    broken.webhooks['run.started']!.post.responses['2XX'] = { description: 3 as never };
    expect((await new Validator().validate(broken)).valid).toBe(false);
  });

  it('belong to a tag that is there', () => {
    expect(document.tags.map(({ name }) => name)).toContain('Webhooks');
  });
});
