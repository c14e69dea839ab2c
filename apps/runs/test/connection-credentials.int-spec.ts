import {
  authorizeMcpOAuth,
  deleteConnection,
  getConnection,
  startNativeOAuth,
  type Connection,
  type Run,
} from '@aos/contracts';
import { ServiceClient } from '@aos/messaging';
import {
  callbackRequest,
  startAuthorizationServer,
  startMcpServer,
  startProtectedMcpServer,
  startServiceHere,
  type ProtectedMcpServer,
  type TestAuthorizationServer,
  type TestMcpServer,
} from '@aos/testing';
import { uuidv7 } from 'uuidv7';
import { connect, startConnectedRuns, type ConnectedRuns } from './connected-runs.js';
import { runsClient } from './runs-under-test.js';
import {
  agentWith,
  callEnds,
  linesOf,
  perform,
  startSite,
  type Call,
  type Site,
} from './tools-under-test.js';

let runs: ConnectedRuns;
let provider: TestAuthorizationServer;
let api: Site;
let elsewhere: Site;
let mcp: ProtectedMcpServer;
let open: TestMcpServer;

beforeAll(async () => {
  const redirectUri = 'http://127.0.0.1:8080/v2/connections/oauth/callback';
  provider = await startAuthorizationServer({ redirectUri, scopes: ['mcp:tools'] });
  elsewhere = await startSite({ '/landed': 'elsewhere' });
  api = await startSite({
    '/v1/echo?page=2&tag=a&tag=b': (response, { method, headers, body }) =>
      response
        .setHeader('x-seen', headers.authorization ?? '')
        .end(JSON.stringify({ method, headers, body })),
    '/v1/moved': (response) => void response.writeHead(302, { location: '/v1/here' }).end(),
    '/v1/here': 'here',
    '/v1/away': (response) => void response.writeHead(302, { location: elsewhere.url('/landed') }).end(),
    '/v1/admin': (response) => {
      const challenge = 'Bearer error="insufficient_scope", scope="openid admin:all"';
      response.writeHead(403, { 'www-authenticate': challenge }).end('more, please');
    },
    '/v1/strict': (response, { headers }) => {
      const isFirst = headers.authorization === api.at('/v1/strict')[0]!.headers.authorization;
      response.writeHead(isFirst ? 401 : 200).end('strict');
    },
  });
  const acme = {
    title: 'Acme',
    issuer: provider.issuer,
    client_id: provider.clientId,
    client_secret: provider.clientSecret,
    scopes: ['openid', 'offline_access'],
    api_base_url: api.url('/v1'),
  };
  [mcp, open, runs] = await Promise.all([
    startProtectedMcpServer(provider),
    startMcpServer({}, { name: 'say', call: () => ({ content: [{ type: 'text', text: 'said' }] }) }),
    startConnectedRuns({ OAUTH_PROVIDERS: JSON.stringify({ acme }) }),
  ]);
});

afterAll(async () => {
  await runs?.stop();
  await Promise.all([provider, api, elsewhere, mcp, open].map((one) => one?.close()));
});

async function succeed(answer: Promise<{ status: number; text: string; body: unknown }>): Promise<unknown> {
  const { status, text, body } = await answer;
  if (status >= 300) throw new Error(`${status}: ${text}`);
  return body;
}

async function consent(started: { authorization_url: string; connection_id: string }): Promise<string> {
  const redirected = await provider.consent(started.authorization_url);
  const { operation, given } = callbackRequest(redirected);
  await succeed(runs.call(operation, given));
  // A token is not taken for a bad one in its first minute: that minute is over.
  await runs.database.query(
    `UPDATE connections.connection SET token_obtained_at = now() - interval '1 hour' WHERE id = $1`,
    [started.connection_id],
  );
  return started.connection_id;
}

type Started = Parameters<typeof consent>[0];
const beginNative = async (name: string) =>
  (await succeed(runs.call(startNativeOAuth, { params: { provider: 'acme' }, body: { name } }))) as Started;
const read = async (id: string) =>
  (await succeed(runs.call(getConnection, { params: { connection_id: id } }))) as Connection;

async function failure(connections: string[], steps: readonly string[] = ['finish done']): Promise<Run> {
  const { id } = await runs.start(await agentWith(runs, steps, { connections }));
  return (await runs.reach(id, 'failed')).run;
}

describe('the API of a provider', () => {
  let id: string;

  beforeAll(async () => {
    id = await consent(await beginNative('Our Acme'));
  });

  const request = (method: string, path: string, more: object = {}): Call => [
    'our_acme__http_request',
    { method, path, ...more },
  ];
  const use = async (...calls: Call[]) =>
    (await perform(runs, calls, { connections: [id], plugins: [] })).ends.map(
      ({ result, error }) => error ?? result,
    );

  it('is called with the authorisation of the connection, which nobody sees', async () => {
    const query = { page: 2, tag: ['a', 'b'] };
    const headers = { 'X-Own': 'mine' };
    const [answer] = await use(request('post', '/echo', { query, headers, body: { a: 1 } }));
    const [seen] = api.at('/v1/echo?page=2&tag=a&tag=b');
    expect(seen).toMatchObject({ method: 'POST', body: '{"a":1}', headers: { 'x-own': 'mine' } });
    const token = seen!.headers.authorization!.replace('Bearer ', '');
    expect(await provider.introspect(token)).toBeDefined();
    expect(answer).toMatchObject({ status: 200, headers: { 'x-seen': '[hidden]' } });
    expect(JSON.stringify(answer)).not.toContain(token);
    expect(JSON.stringify(answer)).toContain('mine');
  });

  it('is followed as long as it stays at home', async () => {
    expect(await use(request('GET', 'moved'), request('GET', '/away'))).toMatchObject([
      { status: 200, body: 'here' },
      { status: 302, headers: { location: elsewhere.url('/landed') } },
    ]);
    expect(elsewhere.seen).toEqual([]);
  });

  it('is the only one that the authorisation goes to', async () => {
    const paths = [
      elsewhere.url('/landed'),
      'https://evil.example/',
      'http://127.0.0.1/',
      `//127.0.0.1:${elsewhere.port}/`,
    ];
    const [one, two, three, four] = await use(...paths.map((path) => request('GET', path)));
    expect([one, two, three]).toEqual(Array(3).fill('path: is none of the provider of the connection.'));
    expect(four).toMatchObject({ status: 404, url: expect.stringContaining(api.url('/v1')) });
    expect(elsewhere.seen).toEqual([]);
    const own = await use(request('GET', '/here', { headers: { Authorization: 'Bearer mine' } }));
    expect(own).toEqual([expect.stringContaining('headers: must not set')]);
  });

  it('that wants more rights is noted, for the next consent', async () => {
    expect(await use(request('GET', '/admin'))).toMatchObject([{ status: 403, body: 'more, please' }]);
    expect(await read(id)).toMatchObject({ status: 'active', required_scopes: ['admin:all'] });
  });

  it('that refuses the token gets a new one', async () => {
    expect(await use(request('POST', '/strict'))).toMatchObject([{ status: 200, body: 'strict' }]);
    const tokens = api.at('/v1/strict').map(({ headers }) => headers.authorization);
    expect(new Set(tokens).size).toBe(2);
    expect(await read(id)).toMatchObject({ status: 'active' });
  });
});

describe('a protected MCP server', () => {
  it('that takes a token no more in the middle of a run is given a new one', async () => {
    const body = { mcp_server_url: mcp.url, name: 'Guarded' };
    const id = await consent((await succeed(runs.call(authorizeMcpOAuth, { body }))) as Started);
    mcp.onEcho = (text) => {
      if (text === 'revoke') mcp.revoked.add(mcp.authorizations.at(-1));
    };
    const refreshes = () => provider.granted.filter((grant) => grant === 'refresh_token').length;
    const before = refreshes();
    const { ends } = await perform(
      runs,
      [
        ['guarded__echo', { text: 'revoke' }],
        ['guarded__echo', { text: 'again' }],
      ],
      { connections: [id] },
    );
    expect(ends.map(({ result }) => result)).toEqual(['revoke', 'again']);
    expect(refreshes()).toBe(before + 1);
    expect(await read(id)).toMatchObject({ status: 'active' });
    const [, refused, renewed] = [...new Set(mcp.authorizations)];
    expect([mcp.revoked.has(refused), mcp.revoked.has(renewed)]).toEqual([true, false]);
  });
});

describe('an MCP server whose address is the credential', () => {
  it('is called at it, and nobody is told it', async () => {
    const path = '/s/0123456789abcdef/mcp?key=very-secret';
    const leak = { content: [{ type: 'text' as const, text: `Welcome to ${path}, 0123456789abcdef` }] };
    const server = await startMcpServer({}, { name: 'leak', call: () => leak });
    try {
      const { origin } = new URL(server.url);
      const called = new Set<string | undefined>();
      server.intercept = (_request, response) => {
        called.add(response.req.url);
        return false;
      };
      const id = await connect(runs, `${origin}${path}`, { name: 'Secret', auth_method: 'url' });
      expect(await read(id)).toMatchObject({ auth_method: 'url', server_url: origin });
      const { run, ends } = await perform(runs, [['secret__leak', {}]], { connections: [id] });
      expect(ends.map(({ result }) => result)).toEqual(['Welcome to [hidden], [hidden]']);
      expect([...called]).toEqual([path]);
      const told = JSON.stringify([run, await runs.messages(run.id)]);
      expect(told).not.toMatch(/very-secret|0123456789abcdef/);
    } finally {
      await server.close();
    }
  });
});

describe('a connection that cannot be used', () => {
  it('fails the run when its server refuses its key, and is broken from then on', async () => {
    const id = await connect(runs, open.url, { name: 'Keyed', auth_method: 'apikey', api_key: 'first-key' });
    open.intercept = ({ method }, response) => {
      if (method !== 'tools/call' || open.of('tools/call').length < 2) return false;
      response.writeHead(401).end('no');
      return true;
    };
    const run = await failure([id], [...linesOf([['keyed__say'], ['keyed__say']]), 'finish done']);
    open.intercept = undefined;
    expect(run.error).toMatchObject({
      code: 'connection_unavailable',
      message: 'The connection "Keyed" is broken: a person has to connect it again.',
    });
    expect(await callEnds(runs, run.id)).toMatchObject([{ result: 'said' }, { error: run.error!.message }]);
    expect(await read(id)).toMatchObject({ status: 'broken' });
    const next = await failure([id]);
    expect(next.error).toEqual(run.error);
  });

  it('fails the run before it begins, and is named', async () => {
    const pending = await beginNative('Half way');
    const foreign = await connect(runsClient(runs.running.app.get(ServiceClient), runs.database), open.url);
    const deleted = await connect(runs, open.url);
    await succeed(runs.call(deleteConnection, { params: { connection_id: deleted } }));
    const unheard = uuidv7();
    const messages = [
      [pending.connection_id, 'A person has yet to consent to the connection "Half way".'],
      ...[foreign, deleted, unheard].map((id) => [id, `The team has no connection ${id}.`]),
    ] as const;
    const good = await connect(runs, open.url);
    for (const [id, message] of messages) {
      const run = await failure([good, id]);
      expect(run.error).toMatchObject({ code: 'connection_unavailable', message });
      expect(await callEnds(runs, run.id)).toEqual([]);
    }
  });

  it('is called at no private address, and its key goes nowhere else', async () => {
    const keyed = { name: 'Strays', auth_method: 'apikey', api_key: 'key-that-stays-at-home' };
    const id = await connect(runs, open.url, keyed);
    open.intercept = (_request, response) => {
      response.writeHead(307, { location: elsewhere.url('/landed') }).end();
      return true;
    };
    const strayed = await failure([id]);
    open.intercept = undefined;
    expect(strayed.error).toMatchObject({
      code: 'connection_unavailable',
      message: expect.stringContaining('The connection "Strays" cannot be used: '),
    });
    // As if its name had come to mean another address since.
    await runs.database.query('UPDATE connections.connection SET server_url = $2 WHERE id = $1', [
      id,
      `http://127.0.0.2:${elsewhere.port}/landed`,
    ]);
    expect((await failure([id])).error!.message).toContain('private, local or reserved address');
    expect(elsewhere.seen).toEqual([]);
  });

  it('is asked for again while its service is away', async () => {
    const id = await connect(runs, open.url);
    await runs.connections.close();
    const { id: runId } = await runs.start(
      await agentWith(runs, [...linesOf([['tools__say']]), 'finish {{result}}'], { connections: [id] }),
    );
    await runs.reach(runId, 'running');
    const again = await startServiceHere('connections', runs.environment);
    try {
      expect((await runs.reach(runId, 'completed')).run.result).toBe('said');
    } finally {
      await again.close();
    }
  });
});
