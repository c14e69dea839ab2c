import { readFile } from 'node:fs/promises';
import { errorCodes, operations, pathParams } from '@aos/contracts';
import { Validator } from '@seriousme/openapi-schema-validator';
import { openApiDocument } from './openapi-document.js';
import { openApiFile, openApiText } from './openapi-text.js';

interface Described {
  readonly operationId: string;
  readonly summary: string;
  readonly tags: string[];
  readonly security?: object[];
  readonly parameters: { name: string; in: string; required: boolean; schema: object }[];
  readonly requestBody?: { required: boolean; content: Record<string, { schema: object }> };
  readonly responses: Record<
    string,
    { $ref?: string; headers?: object; content?: Record<string, { schema: object }> }
  >;
}

const document = openApiDocument(operations, 'https://agents.example.com') as {
  openapi: string;
  info: { version: string };
  servers: object[];
  security: object[];
  paths: Record<string, Record<string, Described>>;
  components: {
    headers: Record<string, { schema: object }>;
    responses: Record<string, { headers?: object; content: Record<string, { schema: object }> }>;
    schemas: Record<string, object>;
    securitySchemes: Record<string, object>;
  };
};

const described = operations.map(
  (operation) =>
    [
      operation.operationId,
      operation,
      document.paths[operation.path]![operation.method.toLowerCase()]!,
    ] as const,
);

function resolved(schema: { $ref?: string }): object {
  const { $ref } = schema;
  return $ref === undefined ? schema : document.components.schemas[$ref.split('/').at(-1)!]!;
}

const limitHeaders = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'];
const integerHeaders = [...limitHeaders, 'Retry-After'];
const fieldHeaders = ['X-Ignored-Fields', 'Preference-Applied'];
const successHeaders = ['X-Request-Id', ...integerHeaders, ...fieldHeaders];
const fielded = ['X-Request-Id', ...limitHeaders, ...fieldHeaders];
const keptHeaders = [...fielded, 'Idempotency-Replayed'];

/** The headers of each error. */
const errorHeaders: Record<string, string[]> = {
  400: keptHeaders,
  401: ['X-Request-Id', 'WWW-Authenticate'],
  403: keptHeaders,
  404: keptHeaders,
  409: [...keptHeaders, 'Retry-After'],
  413: fielded,
  415: fielded,
  429: [...fielded, 'Retry-After'],
  500: fielded,
  503: [...fielded, 'Retry-After'],
};

const mediaTypes = {
  json: ['application/json'],
  stream: ['text/event-stream'],
  binary: ['*/*'],
  page: ['text/html'],
  document: ['text/html'],
  rpc: ['application/json', 'text/event-stream'],
  rows: ['text/csv', 'application/x-ndjson'],
};

describe('the OpenAPI document', () => {
  it('is valid OpenAPI 3.1', async () => {
    const validator = new Validator();
    const result = await validator.validate(structuredClone(document));
    expect([result.valid, result.errors]).toEqual([true, undefined]);
    expect(validator.version).toBe('3.1');
    const broken = { ...structuredClone(document), paths: { '/x': { get: { responses: 3 } } } };
    expect((await new Validator().validate(broken)).valid).toBe(false);
  });

  it('names the revision, the server and the bearer credential', () => {
    expect(document.openapi).toBe('3.1.0');
    expect(document.info.version).toBe('2026-07-18');
    expect(document.servers).toEqual([{ url: 'https://agents.example.com' }]);
    expect(document.security).toEqual([{ bearer: [] }]);
    expect(document.components.securitySchemes['bearer']).toMatchObject({ type: 'http', scheme: 'bearer' });
  });

  it('has the operations of the table and no others', () => {
    const ids = Object.values(document.paths).flatMap((path) =>
      Object.values(path).map((o) => o.operationId),
    );
    expect(ids.sort()).toEqual(operations.map(({ operationId }) => operationId).sort());
  });

  it('has one schema of errors, with code and message and nothing else', () => {
    expect(document.components.schemas['ApiError']).toEqual({
      type: 'object',
      properties: { error: { type: 'string', enum: errorCodes }, message: { type: 'string' } },
      required: ['error', 'message'],
      additionalProperties: false,
    });
    for (const header of integerHeaders) {
      expect(document.components.headers[header]).toMatchObject({ schema: { type: 'integer' } });
    }
    for (const header of ['X-Request-Id', 'WWW-Authenticate', 'Idempotency-Replayed', ...fieldHeaders]) {
      expect(document.components.headers[header]).toMatchObject({
        description: expect.any(String),
        schema: { type: 'string' },
      });
    }
  });

  it.each(described)(
    '%s: success and every error are declared, with their headers',
    (_, operation, entry) => {
      const statuses = [
        ...['400', '401', '403', '404', '409', '429', '500', '503'],
        ...(operation.mutating ? ['413', '415'] : []),
      ];
      const others = {
        binary: ['206', '304', '416'],
        page: ['302'],
        document: [],
        json: [],
        stream: [],
        rows: [],
        rpc: ['202'],
      };
      const partial = others[operation.kind];
      expect(Object.keys(entry.responses).sort()).toEqual(
        [String(operation.status), ...statuses, ...partial].sort(),
      );
      const success = entry.responses[operation.status]!;
      expect(Object.keys(success.headers!)).toEqual(
        operation.mutating ? [...successHeaders, 'Idempotency-Replayed'] : successHeaders,
      );
      for (const other of partial) {
        expect(Object.keys(entry.responses[other]!.headers!)).toEqual(expect.arrayContaining(successHeaders));
      }
      expect(success.content).toEqual(
        operation.status === 204
          ? undefined
          : Object.fromEntries(
              mediaTypes[operation.kind].map((type) => [type, { schema: expect.anything() }]),
            ),
      );
      if (operation.kind === 'json' && success.content)
        expect(resolved(success.content['application/json']!.schema)).toMatchObject({ type: 'object' });
      for (const status of statuses) {
        expect(entry.responses[status]).toEqual({ $ref: `#/components/responses/Error${status}` });
        const response = document.components.responses[`Error${status}`]!;
        expect([status, Object.keys(response.headers!)]).toEqual([status, errorHeaders[status]]);
        expect(response.content['application/json']!.schema).toEqual({
          $ref: '#/components/schemas/ApiError',
        });
      }
    },
  );

  it.each(described)('%s: parameters and body', (_, operation, entry) => {
    expect(entry.summary).not.toBe('');
    expect(entry.tags).toEqual([operation.tag]);
    const inPath = entry.parameters.filter((parameter) => parameter.in === 'path');
    expect(inPath.map(({ name, required }) => [name, required])).toEqual(
      pathParams(operation.path).map((name) => [name, true]),
    );
    for (const { name, schema } of inPath) {
      const isId = !['path', 'token', 'provider'].includes(name);
      expect(schema).toMatchObject(isId ? { type: 'string', format: 'uuid' } : { type: 'string' });
    }
    const keys = entry.parameters.filter(({ name }) => name === 'Idempotency-Key');
    expect(keys).toEqual(
      operation.method === 'GET'
        ? []
        : [
            expect.objectContaining({
              in: 'header',
              required: false,
              schema: { type: 'string', minLength: 1, maxLength: 255 },
            }),
          ],
    );
    const takesBody = operation.hasBody || operation.takes !== 'json';
    expect(entry.requestBody?.required).toBe(takesBody ? false : undefined);
    const types = {
      json: ['application/json'],
      form: ['multipart/form-data'],
      bytes: ['*/*'],
      rows: ['text/csv', 'application/x-ndjson'],
    };
    if (takesBody) expect(Object.keys(entry.requestBody!.content)).toEqual(types[operation.takes]);
    expect(entry.security).toEqual(['link', 'open'].includes(operation.access) ? [] : undefined);
  });

  it('declares the other name of a callback address', () => {
    const { requestBody } = document.paths['/v2/teams/{teamId}/runs']!['post']!;
    expect(requestBody!.content['application/json']!.schema).toMatchObject({
      properties: { webhook_url: { type: 'string' }, callback_url: { type: 'string' } },
    });
  });

  it('tells how to resume a stream, and nothing of it elsewhere', () => {
    const resumable = described.filter(([, , { parameters }]) =>
      parameters.some((parameter) => parameter.in === 'header' && parameter.name === 'Last-Event-ID'),
    );
    expect(resumable.map(([id]) => id)).toEqual(['streamRunEvents', 'streamTeamEvents']);
    const [[, , { parameters }]] = resumable as [(typeof described)[number]];
    expect(parameters.find(({ name }) => name === 'Last-Event-ID')).toMatchObject({
      required: false,
      schema: { type: 'integer', minimum: 0 },
    });
  });

  it('tells which parameters of a query must be there', () => {
    const needed = described.map(([id, { query }, { parameters }]) => {
      const told = parameters.filter((parameter) => parameter.in === 'query' && parameter.required);
      const missed = query.safeParse({}).error?.issues ?? [];
      expect([id, told.map(({ name }) => name)]).toEqual([id, missed.map(({ path }) => path[0])]);
      return told.length;
    });
    expect(Math.max(...needed)).toBeGreaterThan(0);
  });

  it('tells how many entries of any name may be given', () => {
    expect(document.components.schemas['Answers']).toMatchObject({ type: 'object', maxProperties: 100 });
  });

  it('tells the limits of a list', () => {
    const { parameters } = document.paths['/v2/teams']!['get']!;
    expect(parameters.map(({ name, schema }) => [name, schema])).toEqual([
      ['limit', { default: 100, type: 'integer', minimum: 1, maximum: 100 }],
      ['offset', { default: 0, type: 'integer', minimum: 0 }],
    ]);
  });

  it('is committed as it is: run `npm run openapi -w @aos/gateway` after a change', async () => {
    expect(await readFile(openApiFile, 'utf8')).toBe(openApiText());
  });
});
