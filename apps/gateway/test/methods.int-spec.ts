import { randomUUID } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { contractTable } from '@aos/contracts';
import { startGatewayInProcess, type GatewayInProcess, type TeamAtGateway } from './gateway-in-process.js';

const order = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
const all = [...order, 'TRACE', 'PROPFIND', 'PURGE'];
const documentsHost = 'pages.test';

/** The methods of each path of the table, as the interface promises them. */
const methodsOf = new Map<string, string[]>();
for (const { path, method } of contractTable.operations) {
  const methods = methodsOf.get(path) ?? ['OPTIONS'];
  methodsOf.set(path, [...methods, method, ...(method === 'GET' ? ['HEAD'] : [])]);
}
const paths = [...methodsOf].map(
  ([path, methods]) => [path, order.filter((name) => methods.includes(name))] as const,
);

interface Answer {
  readonly status: number;
  readonly headers: Record<string, unknown>;
  readonly text: string;
}

describe('the methods of a path', () => {
  let gateway: GatewayInProcess;
  let team: TeamAtGateway;

  beforeAll(async () => {
    gateway = await startGatewayInProcess({ ARTIFACTS_ORIGIN: `http://${documentsHost}` });
    team = await gateway.newTeam();
  });

  afterAll(() => gateway?.stop());

  /** `fetch` sends neither TRACE nor a Host of one's own. */
  function send(
    method: string,
    path: string,
    { headers = {}, body }: { headers?: Record<string, string>; body?: string } = {},
  ): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const framing = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
      const sent = httpRequest(gateway.url + path, { method, headers: { ...headers, ...framing } });
      sent.on('response', (incoming) => {
        let text = '';
        incoming.on('data', (chunk: Buffer) => (text += chunk.toString()));
        incoming.on('end', () => resolve({ status: incoming.statusCode!, headers: incoming.headers, text }));
      });
      sent.on('error', reject).end(body);
    });
  }

  const withIds = (path: string, id: string) => path.replaceAll(/\{\w+\}/g, id);
  /** All that a caller can see, but for what differs each time. */
  const seen = ({ status, headers, text }: Answer) => {
    const { 'x-request-id': _id, date: _date, ...constant } = headers;
    return JSON.stringify([status, constant, text]);
  };

  it.each(paths)('%s: 405 for every other method, with those that it has', async (path, methods) => {
    for (const method of all.filter((name) => !methods.includes(name))) {
      const answer = await send(method, withIds(path, randomUUID()));
      expect([method, answer.status, answer.headers['allow']]).toEqual([method, 405, methods.join(', ')]);
      expect(answer.headers['content-type']).toMatch(/^application\/json/);
      expect(answer.headers['x-request-id']).toEqual(expect.any(String));
      if (method === 'HEAD') expect(answer.text).toBe('');
      else
        expect(JSON.parse(answer.text)).toEqual({
          error: 'method_not_allowed',
          message: `${method} is not allowed on this path. Allowed: ${methods.join(', ')}.`,
        });
    }
  });

  it.each(paths)('%s: OPTIONS names them, and gives nothing else', async (path, methods) => {
    const answer = await send('OPTIONS', withIds(path, randomUUID()));
    expect([answer.status, answer.headers['allow'], answer.text]).toEqual([204, methods.join(', '), '']);
    expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
  });

  it('a refusal says the same with any credential, id and body: it looks at none of them', async () => {
    const [path] = paths.find(([, methods]) => !methods.includes('PATCH'))!;
    const json = { 'content-type': 'application/json' };
    const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
    const refused = await Promise.all([
      send('PATCH', withIds(path, randomUUID())),
      send('PATCH', withIds(path, team.id), { headers: bearer(team.key) }),
      send('PATCH', withIds(path, team.id), { headers: bearer('aos_wrong') }),
      send('PATCH', withIds(path, 'not-an-id'), { headers: { authorization: 'nonsense' } }),
      send('PATCH', withIds(path, '%00'), { headers: json, body: '{"a":' }),
      send('PATCH', withIds(path, randomUUID()), { headers: json, body: 'x'.repeat(2 * 1024 * 1024) }),
      send('PATCH', withIds(path, randomUUID()), { headers: { 'content-type': 'text/plain' }, body: 'x' }),
    ]);
    expect(refused.map(({ status }) => status)).toEqual(refused.map(() => 405));
    expect(new Set(refused.map(seen)).size).toBe(1);
  });

  it.each([
    ['/', 'GET, HEAD, OPTIONS'],
    ['/docs', 'GET, HEAD, OPTIONS'],
    ['/docs/swagger-ui.css', 'GET, HEAD, OPTIONS'],
    ['/v2/openapi.json?x=1', 'GET, HEAD, OPTIONS'],
    ['/healthz', 'GET, HEAD, OPTIONS'],
    ['/console/runs/1', 'GET, HEAD, OPTIONS'],
    ['/console/sign-in', 'GET, HEAD, POST, OPTIONS'],
    ['/oauth/token', 'POST, OPTIONS'],
    ['/oauth/jwks', 'GET, HEAD, OPTIONS'],
    ['/.well-known/oauth-protected-resource/v2/mcp', 'GET, HEAD, OPTIONS'],
    ['/v2/t%65ams', 'GET, HEAD, POST, OPTIONS'],
  ])('%s has %s, though it is no path of an operation, or oddly spelt', async (path, allow) => {
    const [refused, options] = [await send('PUT', path), await send('OPTIONS', path)];
    expect([refused.status, refused.headers['allow']]).toEqual([405, allow]);
    expect([options.status, options.headers['allow']]).toEqual([204, allow]);
  });

  it('a path that is none is 404 with every method, whatever is sent there', async () => {
    for (const method of all) {
      for (const path of ['/v2/nothing', '/v2/teams/x/y/z', '/V2/teams', '/console2', '//docs']) {
        const body = ['POST', 'PUT', 'PATCH'].includes(method) ? '{"a":' : undefined;
        const headers: Record<string, string> = body ? { 'content-type': 'application/json' } : {};
        const { status, headers: told } = await send(method, path, { headers, body });
        expect([method, path, status, told['allow']]).toEqual([method, path, 404, undefined]);
      }
    }
  });

  it('the host of documents tells of no method', async () => {
    for (const [method, path] of [
      ['PATCH', '/v2/teams'],
      ['OPTIONS', '/v2/teams'],
      ['OPTIONS', `/v2/artifacts/${randomUUID()}/render`],
      ['HEAD', '/docs'],
    ] as const) {
      const answer = await send(method, path, { headers: { host: documentsHost } });
      expect([method, path, answer.status, answer.headers['allow']]).toEqual([method, path, 404, undefined]);
    }
  });

  describe('HEAD', () => {
    // Nobody is behind this gateway, to whom those with neither credential nor link would go.
    const guarded = contractTable.operations.filter(
      ({ method, access }) => method === 'GET' && access !== 'open',
    );

    it.each(guarded.map((operation) => [operation.operationId, operation.path] as const))(
      '%s: is refused as GET is, without a word',
      async (_, path) => {
        const [get, head] = [await send('GET', withIds(path, 'x')), await send('HEAD', withIds(path, 'x'))];
        expect([head.status, head.text]).toEqual([get.status, '']);
        const names = ['content-type', 'content-length', 'www-authenticate', 'cache-control'];
        expect(names.map((name) => [name, head.headers[name]])).toEqual(
          names.map((name) => [name, get.headers[name]]),
        );
      },
    );

    it.each(contractTable.operations.filter(({ kind }) => kind === 'page').map(({ path }) => [path]))(
      '%s: looks at nothing of what a browser brings back from a consent',
      async (path) => {
        const head = await send('HEAD', `${withIds(path, randomUUID())}?state=x&code=y`);
        expect([head.status, head.text, head.headers['content-type'], head.headers['cache-control']]).toEqual(
          [200, '', 'text/html; charset=utf-8', 'no-store'],
        );
      },
    );

    it.each([
      '/',
      '/docs',
      '/docs/swagger-ui-bundle.js',
      '/docs/start.js',
      '/v2/openapi.json',
      '/console',
      '/console/frame.html',
      '/healthz',
      '/readyz',
      '/oauth/jwks',
      '/oauth/authorize',
      '/.well-known/oauth-authorization-server',
    ])('%s: has the headers of GET, and no body', async (path) => {
      const [get, head] = [await send('GET', path), await send('HEAD', path)];
      expect([head.status, head.text]).toEqual([get.status, '']);
      // The length of no body may be left out.
      const empty = { 'content-length': '0' };
      const constant = ({ headers }: Answer) => ({ ...empty, ...headers, 'x-request-id': 0, date: 0 });
      expect(constant(head)).toEqual(constant(get));
    });
  });
});
