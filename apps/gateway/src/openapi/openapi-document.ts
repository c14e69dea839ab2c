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

const limitHeaderRefs = Object.fromEntries(
  Object.keys(rateLimitHeaders).map((name) => [name, { $ref: `#/components/headers/${name}` }]),
);

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
    // The address itself is the permission.
    ...(operation.access === 'link' ? { security: [] } : { 'x-required-scope': operation.scope }),
    parameters: parameters(operation),
    ...requestBody(operation),
    responses: {
      [operation.status]: success(operation),
      ...(operation.kind === 'binary' ? partialAnswers : {}),
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

function requestBody({ takes, hasBody, body }: Operation): { requestBody?: JsonSchema } {
  if (takes === 'bytes') return { requestBody: bodyOf('*/*', bytes) };
  if (takes === 'form') {
    const form = {
      type: 'object',
      properties: { file: bytes, ...properties(body, 'input') },
      required: ['file'],
    };
    return { requestBody: bodyOf('multipart/form-data', form) };
  }
  return hasBody ? { requestBody: bodyOf('application/json', toJsonSchema(body, 'input')) } : {};
}

const bytes = { type: 'string', format: 'binary' };

function bodyOf(type: string, schema: JsonSchema): JsonSchema {
  return { required: false, content: { [type]: { schema } } };
}

const partialAnswers = {
  206: { description: 'The part that was asked for', content: { '*/*': { schema: bytes } } },
  304: { description: 'The file is as the client has it' },
  416: {
    description: 'The file has no such part',
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
  },
};

function success(operation: Operation): JsonSchema {
  const headers = limitHeaderRefs;
  if (operation.status === 204) return { description: 'Done', headers };
  return { description: 'Success', headers, content: successContent(operation) };
}

function successContent({ kind, response }: Operation): JsonSchema {
  switch (kind) {
    case 'json':
      return { 'application/json': { schema: toJsonSchema(response, 'output') } };
    case 'stream':
      return { 'text/event-stream': { schema: { type: 'string' } } };
    case 'binary':
      return { '*/*': { schema: bytes } };
  }
}

function failure(status: number, description: string): JsonSchema {
  return {
    description,
    ...(status === 429 ? { headers: limitHeaderRefs } : {}),
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
  };
}

function errorSchema(): JsonSchema {
  const schema = toJsonSchema(errorBodySchema, 'output') as { properties: { error: JsonSchema } };
  return { ...schema, properties: { ...schema.properties, error: { type: 'string', enum: errorCodes } } };
}
