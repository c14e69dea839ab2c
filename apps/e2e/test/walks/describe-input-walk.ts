import {
  createApiKey,
  createOAuthClient,
  createTeam,
  maxLinkTokenLength,
  type Operation,
} from '@aos/contracts';
import { createWidget, fixtureTable } from '@aos/testing';
import { badBodies, hostileAuthorizations, nested } from '../../src/hostile-values.js';
import { exchange } from '../../src/http-exchange.js';
import { sampleRequest } from '../../src/sample-request.js';
import type { Choice } from './choice.js';
import { each, InputWalk, isPlain, refusal, rowsOf } from './input-walk.js';

const plain = rowsOf(isPlain);
const withCredential = rowsOf(({ access }) => !['link', 'open'].includes(access));
const mutating = rowsOf((operation) => operation.mutating);
const keyed = rowsOf(({ mutating: changes, access }) => changes && access !== 'link');
/** Operations that take a file have tests of their own. */
const takingJson = rowsOf(
  (operation) => operation.mutating && operation.takes === 'json' && isPlain(operation),
);
const json = { 'content-type': 'application/json' };
const overOneMebibyte = 1024 * 1024 + 1;

const hostileSegments = [
  '%00',
  '%ED%A0%80',
  '%F0%9F%98%80',
  '%2e%2e',
  '..%2f..%2fetc',
  '%27--',
  '1'.repeat(1_000),
];

export function describeInputWalk(title: string, choose: Choice): void {
  describe(title, () => suite(choose));
}

function suite(choose: Choice): void {
  let walk: InputWalk;

  beforeAll(async () => {
    walk = await InputWalk.begin();
  });

  afterAll(() => walk?.end());

  // Of MCP they are refused: mcp-transport.int-spec.ts.
  it.each(plain)('%s: unknown query parameters are ignored', async (_, operation, nth) => {
    const expected = await walk.sendAgain(operation);
    const queries = ['unknown=1&unknown=2', '__proto__=1&constructor[prototype][a]=1', '&&=&%00=%00', '?'];
    await each(choose(queries, nth), async (query) => {
      const answer = await walk.send(operation, { query });
      const allowed = query.includes('%00') ? [expected.status, 400] : [expected.status];
      expect(allowed).toContain(answer.status);
    });
  });

  describe.each(['invalid_json', 'invalid_request'])('a body that is refused with %s', (error) => {
    const bodies = Object.entries(badBodies).filter(([, body]) => body.error === error);
    const cases = takingJson.flatMap(([name, operation, nth]) =>
      choose(bodies, nth).map(([body, { raw }]) => [name, body, operation, raw] as const),
    );

    it.each(cases)('%s: 400 for %s', async (_, __, operation, rawBody) => {
      const answer = await walk.send(operation, { rawBody, headers: json });
      expect([answer.status, answer.body]).toEqual([400, refusal(error)]);
    });
  });

  it.each(mutating)(
    '%s: an empty body counts as none, whatever its content type',
    async (_, operation, nth) => {
      const nothing = { body: undefined, rawBody: undefined, headers: { 'content-type': 'text/plain' } };
      const withoutBody = await walk.send(operation, nothing);
      const types = [json, { 'content-type': 'text/plain' }, { 'content-type': 'a;b;c' }, {}];
      const lengths = [{ 'content-length': '0' }, { 'transfer-encoding': 'chunked' }, {}];
      const all = types.flatMap((type) =>
        lengths.map((length) => ({ ...type, ...length }) as Record<string, string>),
      );
      await each(choose(all, nth), async (headers) => {
        const answer = await walk.send(operation, { ...nothing, headers });
        expect([headers, answer.status]).toEqual([headers, withoutBody.status]);
      });
    },
  );

  it.each(takingJson)('%s: another content type, or a compressed body, is 415', async (_, operation, nth) => {
    const types = ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data', 'x', ';'];
    await each(choose(types, nth), async (type) => {
      const answer = await walk.send(operation, { rawBody: '{}', headers: { 'content-type': type } });
      expect([type, answer.status, answer.body]).toEqual([type, 415, refusal('unsupported_media_type')]);
    });
    const untyped = await walk.send(operation, { rawBody: '{}' });
    expect(untyped.status).toBe(415);
    await each(choose(['gzip', 'deflate', 'br', 'nonsense'], nth), async (encoding) => {
      const headers = { ...json, 'content-encoding': encoding };
      const answer = await walk.send(operation, { rawBody: '{}', headers });
      expect([encoding, answer.status, answer.body]).toEqual([
        encoding,
        415,
        refusal('unsupported_media_type'),
      ]);
    });
  });

  it.each(takingJson)('%s: 413 past 1 MiB, in one piece and in chunks', async (_, operation, nth) => {
    const rawBody = `{"a":"${'x'.repeat(overOneMebibyte - 8)}"}`;
    expect(Buffer.byteLength(rawBody)).toBe(overOneMebibyte);
    for (const headers of choose([json, { ...json, 'transfer-encoding': 'chunked' }], nth)) {
      const answer = await walk.send(operation, { rawBody, headers });
      expect([answer.status, answer.body]).toEqual([413, refusal('payload_too_large', '1048576 bytes')]);
    }
    const atLimit = await walk.send(operation, { rawBody: rawBody.replace('x', ''), headers: json });
    expect(atLimit.status).not.toBe(413);
  });

  it.each(takingJson)(
    '%s: unknown properties are ignored, also deep, odd and prototype ones',
    async (_, operation, nth) => {
      const sample = sampleRequest(operation, walk.team.id).body ?? {};
      const expected = await walk.sendAgain(operation);
      const fields = JSON.stringify(sample).slice(1, -1);
      const extras = [
        `"unknown":${nested(99)}`,
        `"__proto__":{"name":"polluted","scopes":["*"],"token":1}`,
        `"constructor":{"prototype":{"name":"polluted"}},"prototype":{"name":"polluted"}`,
        `"toString":1,"hasOwnProperty":2,"length":-1,"then":3,"toJSON":4`,
        `"":1," ":2,"a.b":3,"$where":4,"👩‍👧":5`,
      ];
      await each(choose(extras, nth), async (extra) => {
        const rawBody = `{${[fields, extra].filter((part) => part !== '').join(',')}}`;
        const answer = await walk.send(operation, { rawBody, headers: json });
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
      const attacked = await walk.send(operation, { rawBody, headers: json });
      const after = await walk.send(operation, { body: {} });
      expect([attacked.body, after.body]).toEqual([
        expect.objectContaining({ [thing]: expect.objectContaining({ name }) }),
        expect.objectContaining({ [thing]: expect.objectContaining({ name }) }),
      ]);
    }
  });

  it.each(keyed)('%s: a bad Idempotency-Key is 400', async (_, operation, nth) => {
    for (const key of choose(['', ' ', 'k'.repeat(256)], nth)) {
      const answer = await walk.send(operation, { headers: { 'idempotency-key': key } });
      expect([answer.status, answer.body]).toEqual([
        400,
        refusal('invalid_idempotency_key', 'Idempotency-Key'),
      ]);
    }
    const expected = await walk.send(operation, {});
    const odd = ['k'.repeat(255), '\u00e9\u00ff', `'; DROP TABLE idempotency_record; --`, '__proto__'];
    for (const key of choose(odd, nth)) {
      const answer = await walk.send(operation, { headers: { 'idempotency-key': key } });
      expect([key, answer.status]).toEqual([key, expected.status]);
    }
  });

  it.each(plain)('%s: odd headers change nothing', async (_, operation) => {
    const expected = await walk.send(operation, {});
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
    const answer = await walk.send(operation, { headers });
    expect(answer.status).toBe(expected.status);
    expect(answer.headers['x-request-id']).not.toContain('\u00e9');
  });

  it.each(withCredential)('%s: a hostile Authorization is 401', async (_, operation, nth) => {
    await each(choose(hostileAuthorizations, nth), async (authorization) => {
      const answer = await walk.send(operation, { token: null, headers: { authorization } });
      expect([authorization.slice(0, 40), answer.status]).toEqual([authorization.slice(0, 40), 401]);
    });
  });

  it.each(rowsOf(({ path }) => path.includes('{')))(
    '%s: hostile path segments',
    async (_, operation, nth) => {
      const { params } = sampleRequest(operation, walk.team.id);
      for (const name of Object.keys(params!)) {
        await each(choose(hostileSegments, nth), async (segment) => {
          const path = operation.path.replaceAll(/\{(\w+)\}/g, (__, key: string) =>
            key === name ? segment : params![key]!,
          );
          const { status } = await walk.team.client.request(operation.method, path, {
            body: operation.hasBody ? {} : undefined,
          });
          expect([segment, [400, 403, 404].includes(status)]).toEqual([segment, true]);
        });
      }
    },
  );

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
      '/nothing',
      '*',
    ];
    for (const path of paths) {
      const answer = await walk.team.client.request('GET', path);
      expect([path, answer.status, answer.body]).toEqual([path, 404, refusal('not_found')]);
    }
  });

  it('a method that a path does not have is 405', async () => {
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
    const patterns = fixtureTable.operations.map(({ method, path }) => ({
      methods: method === 'GET' ? ['GET', 'HEAD', 'OPTIONS'] : [method, 'OPTIONS'],
      pattern: new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
    }));
    // A fixed part of one path may be the id in another.
    const hasPath = (name: string, path: string) =>
      patterns.some(({ methods: known, pattern }) => known.includes(name) && pattern.test(path));
    for (const [nth, path] of [...new Set(plain.map(([, operation]) => operation.path))].entries()) {
      const others = methods.filter((name) => !hasPath(name, path));
      await each(choose(others, nth), async (method) => {
        const answer = await walk.team.client.request(method, path.replaceAll(/\{\w+\}/g, walk.team.id));
        expect([method, path, answer.status]).toEqual([method, path, 405]);
        if (method !== 'HEAD') expect(answer.body).toEqual(refusal('method_not_allowed', method));
        expect(answer.headers['allow']).not.toContain(method);
      });
    }
  });

  it('is as well as before', async () => {
    const { status } = await exchange(walk.product.urls[0]!, { method: 'GET', path: '/healthz' });
    expect(status).toBe(200);
    const { rows } = {
      rows: await walk.product.database.query<{ count: string }>('SELECT count(*) FROM gateway.team'),
    };
    expect(Number(rows[0]!.count)).toBeGreaterThan(0);
  });
}
