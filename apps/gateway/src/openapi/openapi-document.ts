import { importFormats, pathParams, publicEvents, tags, type Operation } from '@aos/contracts';
import { answerHeaders, fieldHeaders, headersOf, limitHeaders } from './answer-headers.js';
import { describeErrors, errorReference, errorResponses } from './error-descriptions.js';
import { describeEventUnion } from './event-descriptions.js';
import type { JsonSchema } from './json-schema.js';
import { SchemaComponents } from './schema-components.js';
import { describeWebhooks, webhookHeaders } from './webhook-descriptions.js';

/** The revision label of the interface. */
const revision = '2026-07-18';

const about = [
  'A workspace-scoped platform on which teams run operational agents.',
  '',
  'Every path that answers GET answers HEAD, with the headers of GET and without work. OPTIONS names the methods of a path,',
  'and a method that it does not have is 405 `method_not_allowed` with `Allow`; both need no credential.',
].join('\n');

/** The OpenAPI 3.1 description, made from the operation table and the public events. */
export function openApiDocument(operations: readonly Operation[], baseUrl: string): JsonSchema {
  const components = new SchemaComponents();
  const responses = describeErrors(components);
  const paths: Record<string, Record<string, unknown>> = {};
  for (const operation of operations) {
    const path = (paths[operation.path] ??= {});
    path[operation.method.toLowerCase()] = new OperationDescription(operation, components).toJSON();
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Agent Operations Service',
      version: revision,
      description: about,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: baseUrl }],
    security: [{ bearer: [] }],
    tags: [...new Set(operations.map(({ tag }) => tag))].map((name) => ({ name, description: tags[name] })),
    paths,
    webhooks: describeWebhooks(publicEvents, components),
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'An API key, or an OAuth access token' },
      },
      headers: answerHeaders,
      parameters: webhookHeaders,
      responses,
      schemas: components.toJSON(),
    },
  };
}

/** One operation of the table, as an entry of `paths`. */
class OperationDescription {
  constructor(
    private readonly operation: Operation,
    private readonly components: SchemaComponents,
  ) {}

  toJSON(): JsonSchema {
    const { operation } = this;
    return {
      operationId: operation.operationId,
      summary: operation.summary,
      ...(operation.description === undefined ? {} : { description: operation.description }),
      tags: [operation.tag],
      // The address itself is the permission, or none is needed.
      ...(needsCredential(operation) ? { 'x-required-scope': operation.scope } : { security: [] }),
      parameters: this.parameters(),
      ...this.requestBody(),
      responses: {
        [operation.status]: this.success(),
        ...(operation.kind === 'binary' ? partialAnswers : {}),
        ...(operation.kind === 'page' ? sentOn : {}),
        ...(operation.kind === 'rpc' ? noted : {}),
        ...errorResponses(operation),
      },
    };
  }

  private parameters(): JsonSchema[] {
    const { path, params, query, mutating, kind } = this.operation;
    const inPath = this.properties(params);
    const required = new Set(this.required(query));
    return [
      ...pathParams(path).map((name) => ({ name, in: 'path', required: true, schema: inPath[name] })),
      ...Object.entries(this.properties(query)).map(([name, schema]) => ({
        name,
        in: 'query',
        required: required.has(name),
        schema,
      })),
      ...(mutating ? [idempotencyKey] : []),
      ...(kind === 'stream' ? [lastEventId] : []),
    ];
  }

  private properties(schema: Operation['params']): Record<string, JsonSchema> {
    return (this.components.use(schema, 'input')['properties'] ?? {}) as Record<string, JsonSchema>;
  }

  private required(schema: Operation['query']): string[] {
    return (this.components.use(schema, 'input')['required'] ?? []) as string[];
  }

  private requestBody(): { requestBody?: JsonSchema } {
    const { takes, hasBody, body } = this.operation;
    if (takes === 'bytes') return { requestBody: bodyOf('*/*', bytes) };
    if (takes === 'rows') return { requestBody: rowsOf(importFormats) };
    if (takes === 'form') {
      const form = {
        type: 'object',
        properties: { file: bytes, ...this.properties(body) },
        required: ['file'],
      };
      return { requestBody: bodyOf('multipart/form-data', form) };
    }
    return hasBody ? { requestBody: bodyOf('application/json', this.components.use(body, 'input')) } : {};
  }

  private success(): JsonSchema {
    const { mutating, status } = this.operation;
    const headers = mutating ? { ...successHeaders, ...headersOf('Idempotency-Replayed') } : successHeaders;
    if (status === 204) return { description: 'Done', headers };
    return { headers, ...this.content() };
  }

  private content(): JsonSchema {
    const { kind, response, streams } = this.operation;
    switch (kind) {
      case 'json':
        return answerOf('Success', 'application/json', this.components.use(response, 'output'));
      case 'stream':
        return answerOf(
          'Server-sent events. The `data` of each is one of these as JSON; its `event` is the name of it.',
          'text/event-stream',
          describeEventUnion(streams!, this.components),
        );
      case 'binary':
        return answerOf('Success', '*/*', bytes);
      case 'rpc':
        return {
          description: 'A JSON-RPC response, or server-sent events that end with it',
          content: {
            'application/json': { schema: this.components.use(response, 'output') },
            'text/event-stream': { schema: { type: 'string' } },
          },
        };
      case 'rows':
        return { description: 'The rows, as they come', content: rowsOf(importFormats).content };
      case 'document':
        return answerOf('The page, which may do nothing but be seen', 'text/html', { type: 'string' });
      case 'page':
        return answerOf('A page that says how it went', 'text/html', { type: 'string' });
    }
  }
}

function needsCredential({ access }: Operation): boolean {
  return access !== 'link' && access !== 'open';
}

function answerOf(description: string, type: string, schema: JsonSchema): JsonSchema {
  return { description, content: { [type]: { schema } } };
}

const successHeaders = headersOf(...limitHeaders, 'Retry-After', ...fieldHeaders);

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

const bytes = { type: 'string', format: 'binary' };

function bodyOf(type: string, schema: JsonSchema): JsonSchema {
  return { required: false, content: { [type]: { schema } } };
}

/** Text in one of several formats. */
function rowsOf(types: readonly string[]): { required: false; content: JsonSchema } {
  return {
    required: false,
    content: Object.fromEntries(types.map((type) => [type, { schema: { type: 'string' } }])),
  };
}

const sentOn = {
  302: {
    description: 'The browser is sent on',
    headers: { Location: { schema: { type: 'string' } }, ...successHeaders },
  },
};

const noted = { 202: { description: 'A notification was taken', headers: successHeaders } };

const partialAnswers = {
  206: {
    description: 'The part that was asked for',
    headers: successHeaders,
    content: { '*/*': { schema: bytes } },
  },
  304: { description: 'The file is as the client has it', headers: successHeaders },
  416: {
    description: 'The file has no such part',
    headers: successHeaders,
    content: { 'application/json': { schema: errorReference } },
  },
};
