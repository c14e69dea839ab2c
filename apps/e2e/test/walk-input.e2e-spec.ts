import {
  createApiKey,
  createOAuthClient,
  createTeam,
  maxLinkTokenLength,
  type Operation,
} from '@aos/contracts';
import { createWidget, fixtureTable } from '@aos/testing';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { ApiAnswer, ApiClient, CallOptions } from '../src/api-client.js';
import {
  badBodies,
  hostileAuthorizations,
  hostileQueryValues,
  hostileValues,
  nested,
} from '../src/hostile-values.js';
import { exchange } from '../src/http-exchange.js';
import { bodySchema, querySchema, sampleRequest, workingRequest } from '../src/sample-request.js';
import { propertiesOf, type JsonSchema } from '../src/sample-value.js';
import { ownersOf, startStack, type Stack } from '../src/stack.js';
import { connectAdmin, newTeam, type Team } from '../src/team.js';

type Row = readonly [string, Operation];

const rowsOf = (wanted: (operation: Operation) => boolean): Row[] =>
  fixtureTable.operations.filter(wanted).map((operation) => [operation.operationId, operation] as const);

const all = rowsOf(() => true);
/** JSON-RPC has rules of its own for messages, pages of browsers and methods: mcp.e2e-spec.ts. */
const isPlain = ({ kind }: Operation): boolean => kind !== 'rpc';
const plain = rowsOf(isPlain);
const withCredential = rowsOf(({ access }) => !['link', 'open'].includes(access));
const mutating = rowsOf((operation) => operation.mutating);
const keyed = rowsOf(({ mutating: changes, access }) => changes && access !== 'link');
/** Those that take a file have tests of their own. */
const takingJson = rowsOf(
  (operation) => operation.mutating && operation.takes === 'json' && isPlain(operation),
);
const withBody = rowsOf((operation) => operation.hasBody && operation.takes === 'json' && isPlain(operation));
/** A browser that comes back brings a state that is good once: apps/connections tries what else it may bring. */
const withQuery = rowsOf(
  (operation) =>
    operation.kind !== 'page' &&
    isPlain(operation) &&
    Object.keys(propertiesOf(querySchema(operation))).length > 0,
);

const filePath = 'path';
const json = { 'content-type': 'application/json' };
const overOneMebibyte = 1024 * 1024 + 1;

const ajv = new Ajv2020({ strict: false });
addFormats.default(ajv);

const hostileSegments = [
  '%00',
  '%ED%A0%80',
  '%F0%9F%98%80',
  '%2e%2e',
  '..%2f..%2fetc',
  '%27--',
  '1'.repeat(1_000),
];

describe('hostile and malformed input, over every operation', () => {
  let stack: Stack;
  let admin: ApiClient;
  let team: Team;

  beforeAll(async () => {
    stack = await startStack({ services: ownersOf(fixtureTable.operations) });
    admin = await connectAdmin(stack);
    team = await newTeam(admin);
  });

  afterAll(async () => {
    await stack?.stop();
  });

  /** Sends a sample with changes. The client checks shape and headers; that it is no 5xx is checked here. */
  async function send(operation: Operation, changes: CallOptions): Promise<ApiAnswer> {
    const client = operation.access === 'admin' ? admin : team.client;
    const sample = sampleRequest(operation, team.id);
    const headers = { ...sample.headers, ...changes.headers };
    const answer = await client.call(operation, { ...sample, ...changes, headers });
    expect(answer.status).toBeLessThan(500);
    return answer;
  }

  /** What has a name that no other may have is there when it is sent again. */
  async function sendAgain(operation: Operation): Promise<ApiAnswer> {
    await send(operation, {});
    return send(operation, {});
  }

  function refusal(error: string, field?: string) {
    return { error, message: field === undefined ? expect.any(String) : expect.stringContaining(field) };
  }

  /** A list names the place of the bad item too. */
  function namedRefusal(field: string) {
    return {
      error: 'invalid_request',
      message: expect.stringMatching(new RegExp(String.raw`\b${field}(\.\d+)?: `)),
    };
  }

  describe.each(withBody)('%s: each field of the body', (_, operation) => {
    it.each(Object.entries(propertiesOf(bodySchema(operation))))('%s', async (field, schema) => {
      // With ids that name something: a value that passes for valid must do no harm further in either.
      const { params, body: sample } = await workingRequest(operation, team, stack);
      const isValid = ajv.compile(schema);
      const required = (bodySchema(operation)['required'] ?? []) as string[];
      await each(Object.entries(hostileValues), async ([name, value]) => {
        if (endsTheFixture(operation, field, value)) return;
        const body = { ...(sample as object), [field]: value };
        const answer = await send(operation, { params, body });
        if (value === null && !required.includes(field)) {
          // It counts as absent; what the owner says of an absent field is another matter.
          expect(answer.text).not.toContain(`${field}: Invalid`);
          return;
        }
        if (isValid(value)) return;
        expect([name, answer.status, answer.body]).toEqual([
          name,
          400,
          refusal('invalid_request', `${field}`),
        ]);
      });
    });
  });

  describe.each(withQuery)('%s: each query parameter', (_, operation) => {
    it.each(Object.entries(propertiesOf(querySchema(operation))))('%s', async (field, schema) => {
      const { params } = await workingRequest(operation, team, stack);
      await each(hostileQueryValues, async (value) => {
        const answer = await send(operation, { params, query: `${field}=${value}` });
        if (field === filePath) {
          // Most texts are paths at which there is nothing.
          expect([value, [400, 404].includes(answer.status)]).toEqual([value, true]);
          return;
        }
        const expected = isValidQueryText(schema, value) ? operation.status : 400;
        expect([value, answer.status]).toEqual([value, expected]);
        if (expected === 400) expect(answer.body).toEqual(namedRefusal(field));
      });
      const twice = await send(operation, { params, query: `${field}=1&${field}=2` });
      expect([twice.status, twice.body]).toEqual([400, namedRefusal(field)]);
    });
  });

  it.each(all)('%s: unknown query parameters are ignored', async (_, operation) => {
    const expected = await sendAgain(operation);
    const queries = ['unknown=1&unknown=2', '__proto__=1&constructor[prototype][a]=1', '&&=&%00=%00', '?'];
    await each(queries, async (query) => {
      const answer = await send(operation, { query });
      const allowed = query.includes('%00') ? [expected.status, 400] : [expected.status];
      expect(allowed).toContain(answer.status);
    });
  });

  describe.each(Object.entries(badBodies))('a body that is %s', (_, { raw, error }) => {
    it.each(takingJson)('%s: 400', async (__, operation) => {
      const answer = await send(operation, { rawBody: raw, headers: json });
      expect([answer.status, answer.body]).toEqual([400, refusal(error)]);
    });
  });

  it.each(mutating)('%s: an empty body counts as none, whatever its content type', async (_, operation) => {
    const nothing = { body: undefined, rawBody: undefined, headers: { 'content-type': 'text/plain' } };
    const withoutBody = await send(operation, nothing);
    const types = [json, { 'content-type': 'text/plain' }, { 'content-type': 'a;b;c' }, {}];
    const lengths = [{ 'content-length': '0' }, { 'transfer-encoding': 'chunked' }, {}];
    await each(
      types.flatMap((type) => lengths.map((length) => ({ ...type, ...length }) as Record<string, string>)),
      async (headers) => {
        const answer = await send(operation, { ...nothing, headers });
        expect([headers, answer.status]).toEqual([headers, withoutBody.status]);
      },
    );
  });

  it.each(takingJson)('%s: another content type, or a compressed body, is 415', async (_, operation) => {
    const types = ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data', 'x', ';'];
    await each(types, async (type) => {
      const answer = await send(operation, { rawBody: '{}', headers: { 'content-type': type } });
      expect([type, answer.status, answer.body]).toEqual([type, 415, refusal('unsupported_media_type')]);
    });
    const untyped = await send(operation, { rawBody: '{}' });
    expect(untyped.status).toBe(415);
    await each(['gzip', 'deflate', 'br', 'nonsense'], async (encoding) => {
      const headers = { ...json, 'content-encoding': encoding };
      const answer = await send(operation, { rawBody: '{}', headers });
      expect([encoding, answer.status, answer.body]).toEqual([
        encoding,
        415,
        refusal('unsupported_media_type'),
      ]);
    });
  });

  it.each(takingJson)('%s: 413 past 1 MiB, in one piece and in chunks', async (_, operation) => {
    const rawBody = `{"a":"${'x'.repeat(overOneMebibyte - 8)}"}`;
    expect(Buffer.byteLength(rawBody)).toBe(overOneMebibyte);
    for (const headers of [json, { ...json, 'transfer-encoding': 'chunked' }]) {
      const answer = await send(operation, { rawBody, headers });
      expect([answer.status, answer.body]).toEqual([413, refusal('payload_too_large')]);
    }
    const atLimit = await send(operation, { rawBody: rawBody.replace('x', ''), headers: json });
    expect(atLimit.status).not.toBe(413);
  });

  it.each(takingJson)(
    '%s: unknown properties are ignored, also deep, odd and prototype ones',
    async (_, operation) => {
      const sample = sampleRequest(operation, team.id).body ?? {};
      const expected = await sendAgain(operation);
      const fields = JSON.stringify(sample).slice(1, -1);
      const extras = [
        `"unknown":${nested(99)}`,
        `"__proto__":{"name":"polluted","scopes":["*"],"token":1}`,
        `"constructor":{"prototype":{"name":"polluted"}},"prototype":{"name":"polluted"}`,
        `"toString":1,"hasOwnProperty":2,"length":-1,"then":3,"toJSON":4`,
        `"":1," ":2,"a.b":3,"$where":4,"👩‍👧":5`,
      ];
      await each(extras, async (extra) => {
        const rawBody = `{${[fields, extra].filter((part) => part !== '').join(',')}}`;
        const answer = await send(operation, { rawBody, headers: json });
        expect([extra.slice(0, 40), answer.status]).toEqual([extra.slice(0, 40), expected.status]);
      });
    },
  );

  it('prototype keys pollute nothing: the defaults are what they were', async () => {
    const rawBody = '{"__proto__":{"name":"polluted"},"constructor":{"prototype":{"name":"polluted"}}}';
    const named: [Operation, string, string][] = [
      [createWidget, 'widget', 'widget'],
      [createTeam, 'team', 'Untitled team'],
      [createApiKey, 'api_key', 'API key'],
      [createOAuthClient, 'oauth_client', 'OAuth client'],
    ];
    for (const [operation, thing, name] of named) {
      const attacked = await send(operation, { rawBody, headers: json });
      const after = await send(operation, { body: {} });
      expect([attacked.body, after.body]).toEqual([
        expect.objectContaining({ [thing]: expect.objectContaining({ name }) }),
        expect.objectContaining({ [thing]: expect.objectContaining({ name }) }),
      ]);
    }
  });

  it.each(keyed)('%s: a bad Idempotency-Key is 400', async (_, operation) => {
    for (const key of ['', ' ', 'k'.repeat(256)]) {
      const answer = await send(operation, { headers: { 'idempotency-key': key } });
      expect([answer.status, answer.body]).toEqual([
        400,
        refusal('invalid_idempotency_key', 'Idempotency-Key'),
      ]);
    }
    const expected = await send(operation, {});
    for (const key of [
      'k'.repeat(255),
      '\u00e9\u00ff',
      `'; DROP TABLE idempotency_record; --`,
      '__proto__',
    ]) {
      const answer = await send(operation, { headers: { 'idempotency-key': key } });
      expect([key, answer.status]).toEqual([key, expected.status]);
    }
  });

  it.each(plain)('%s: odd headers change nothing', async (_, operation) => {
    const expected = await send(operation, {});
    const headers = {
      'x-request-id': '\u00e9'.repeat(200),
      traceparent: '00-nonsense',
      accept: 'image/png',
      'accept-encoding': '\u00ff',
      'x-forwarded-for': "'; --",
      cookie: '__proto__=1; a',
      range: 'bytes=0-',
      'if-none-match': '*',
      'x-http-method-override': 'DELETE',
      origin: 'null',
    };
    const answer = await send(operation, { headers });
    expect(answer.status).toBe(expected.status);
    expect(answer.headers['x-request-id']).not.toContain('\u00e9');
  });

  it.each(withCredential)('%s: a hostile Authorization is 401', async (_, operation) => {
    await each(hostileAuthorizations, async (authorization) => {
      const answer = await send(operation, { token: null, headers: { authorization } });
      expect([authorization.slice(0, 40), answer.status]).toEqual([authorization.slice(0, 40), 401]);
    });
  });

  it.each(rowsOf(({ path }) => path.includes('{')))('%s: hostile path segments', async (_, operation) => {
    const { params } = sampleRequest(operation, team.id);
    for (const name of Object.keys(params!)) {
      await each(hostileSegments, async (segment) => {
        const path = operation.path.replaceAll(/\{(\w+)\}/g, (__, key: string) =>
          key === name ? segment : params![key]!,
        );
        const { status } = await team.client.request(operation.method, path, {
          body: operation.hasBody ? {} : undefined,
        });
        expect([segment, [400, 403, 404].includes(status)]).toEqual([segment, true]);
      });
    }
  });

  it('bad encodings, over-long segments and traversal in the path are 404', async () => {
    const paths = [
      '/v2/teams/%',
      '/v2/teams/%zz',
      '/v2/teams/%ff',
      `/v2/teams/${'a'.repeat(maxLinkTokenLength + 1)}`,
      `/v2/widgets/${'a'.repeat(5_000)}`,
      '/v2/../v2/teams',
      '/v2/teams/../teams',
      '/v2/./teams',
      '//v2/teams',
      '/v2//teams',
      '/V2/teams',
      '/v2/teams;a=b',
      '/docs/../package.json',
      '/docs/..%2f..%2fpackage.json',
      '/docs/%2e%2e/package.json',
      '/docs/nothing.js',
      '/',
      '*',
    ];
    for (const path of paths) {
      const answer = await team.client.request('GET', path);
      expect([path, answer.status, answer.body]).toEqual([path, 404, refusal('not_found')]);
    }
  });

  it('a method that a path does not have is 404', async () => {
    const methods = [
      'GET',
      'POST',
      'PUT',
      'PATCH',
      'DELETE',
      'OPTIONS',
      'HEAD',
      'TRACE',
      'PROPFIND',
      'PURGE',
    ];
    const declared = new Set(fixtureTable.operations.map(({ method, path }) => `${method} ${path}`));
    for (const path of new Set(plain.map(([, operation]) => operation.path))) {
      const others = methods.filter((name) => !declared.has(`${name} ${path}`));
      await each(others, async (method) => {
        const answer = await team.client.request(method, path.replaceAll(/\{\w+\}/g, team.id));
        expect([method, path, answer.status]).toEqual([method, path, 404]);
        if (method !== 'HEAD') expect(answer.body).toEqual(refusal('not_found'));
      });
    }
  });

  it('is as well as before', async () => {
    const { status } = await exchange(stack.urls[0]!, { method: 'GET', path: '/healthz' });
    expect(status).toBe(200);
    const { rows } = {
      rows: await stack.database.query<{ count: string }>('SELECT count(*) FROM gateway.team'),
    };
    expect(Number(rows[0]!.count)).toBeGreaterThan(0);
  });
});

/** Side by side: one after the other would be waiting most of the time. */
async function each<T>(items: readonly T[], check: (item: T) => Promise<void>): Promise<void> {
  await Promise.all(items.map(check));
}

/** The fixture dies when told to; that is tried elsewhere. */
function endsTheFixture({ operationId }: Operation, field: string, value: unknown): boolean {
  return operationId === 'createWidget' && field === 'crash_after_commit' && value === true;
}

/** Whether the text stands for a value that the schema of a query parameter allows. */
function isValidQueryText(schema: JsonSchema, encoded: string): boolean {
  let text: string;
  try {
    text = decodeURIComponent(encoded);
  } catch {
    text = encoded;
  }
  if (schema['type'] === 'integer') return /^-?\d{1,15}$/.test(text) && ajv.validate(schema, Number(text));
  if (schema['type'] === 'boolean') return text === 'true' || text === 'false';
  // What no database stores is refused in every text.
  return ajv.validate(schema, text) && !text.includes('\0') && text.isWellFormed();
}
