import { errorBodySchema, errorCodes, pathParams, publicEvents, type Operation } from '@aos/contracts';
import type { z } from 'zod';
import { toJsonSchema, type JsonSchema } from './json-schema.js';
import { describeWebhooks, webhookHeaders } from './webhook-descriptions.js';

/** The revision label of the interface. */
const revision = '2026-07-18';

const integerHeader = (description: string) => ({ description, schema: { type: 'integer' } });

const rateLimitHeaders = {
  'RateLimit-Limit': integerHeader('Requests that a window allows'),
  'RateLimit-Remaining': integerHeader('Requests left in the window'),
  'RateLimit-Reset': integerHeader('Seconds until the window is new'),
  'Retry-After': integerHeader('Seconds to wait before another try'),
};

const failures: Readonly<Record<number, string>> = {
  400: 'The request is malformed; the message names each bad field',
  401: 'The bearer credential is missing, unknown, expired or revoked',
  403: 'The credential may not do this',
  404: 'There is no such thing, or it is not for this credential to know',
  409: 'The request does not fit the present state',
  429: 'Too many requests',
  500: 'The service failed',
};

/** The OpenAPI 3.1 description, made from the operation table and the public events. */
export function openApiDocument(operations: readonly Operation[], baseUrl: string): JsonSchema {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const operation of operations) {
    const path = (paths[operation.path] ??= {});
    path[operation.method.toLowerCase()] = describe(operation);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Agent Operations Service',
      version: revision,
      description: 'A workspace-scoped platform on which teams run operational agents.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: baseUrl }],
    security: [{ bearer: [] }],
    tags: [...new Set(operations.map(({ tag }) => tag))].map((name) => ({ name })),
    paths,
    webhooks: describeWebhooks(publicEvents),
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'An API key, or an OAuth access token' },
      },
      headers: rateLimitHeaders,
      parameters: webhookHeaders,
      responses: Object.fromEntries(
        Object.entries(failures).map(([status, description]) => [
          `Error${status}`,
          failure(Number(status), description),
        ]),
      ),
      schemas: { Error: errorSchema() },
    },
  };
}

function describe(operation: Operation): JsonSchema {
  return {
    operationId: operation.operationId,
    summary: operation.summary,
    ...(operation.description === undefined ? {} : { description: operation.description }),
    tags: [operation.tag],
    'x-required-scope': operation.scope,
    parameters: parameters(operation),
    ...(operation.hasBody ? { requestBody: requestBody(operation.body) } : {}),
    responses: {
      [operation.status]: success(operation),
      ...Object.fromEntries(
        Object.keys(failures).map((status) => [status, { $ref: `#/components/responses/Error${status}` }]),
      ),
    },
  };
}

function parameters(operation: Operation): JsonSchema[] {
  const params = properties(operation.params, 'input');
  const query = properties(operation.query, 'input');
  return [
    ...pathParams(operation.path).map((name) => ({ name, in: 'path', required: true, schema: params[name] })),
    ...Object.entries(query).map(([name, schema]) => ({ name, in: 'query', required: false, schema })),
    ...(operation.mutating ? [idempotencyKey] : []),
    ...(operation.kind === 'stream' ? [lastEventId] : []),
  ];
}

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'A repeated request with the same key has its effect once and gets the first answer for 24 hours',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
};

const lastEventId = {
  name: 'Last-Event-ID',
  in: 'header',
  required: false,
  description: 'Resumes after the event with this number; wins over `after`',
  schema: { type: 'integer', minimum: 0 },
};

function properties(schema: z.ZodType, io: 'input' | 'output'): Record<string, JsonSchema> {
  return (toJsonSchema(schema, io)['properties'] ?? {}) as Record<string, JsonSchema>;
}

function requestBody(body: z.ZodType): JsonSchema {
  return { required: false, content: { 'application/json': { schema: toJsonSchema(body, 'input') } } };
}

function success(operation: Operation): JsonSchema {
  const headers = Object.fromEntries(
    Object.keys(rateLimitHeaders).map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  );
  if (operation.status === 204) return { description: 'Done', headers };
  const type = { json: 'application/json', stream: 'text/event-stream', binary: 'application/octet-stream' };
  const schema = operation.kind === 'json' ? toJsonSchema(operation.response, 'output') : { type: 'string' };
  return { description: 'Success', headers, content: { [type[operation.kind]]: { schema } } };
}

function failure(status: number, description: string): JsonSchema {
  const headers = Object.fromEntries(
    Object.keys(rateLimitHeaders).map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  );
  return {
    description,
    ...(status === 429 ? { headers } : {}),
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
  };
}

function errorSchema(): JsonSchema {
  const schema = toJsonSchema(errorBodySchema, 'output') as { properties: { error: JsonSchema } };
  return { ...schema, properties: { ...schema.properties, error: { type: 'string', enum: errorCodes } } };
}
