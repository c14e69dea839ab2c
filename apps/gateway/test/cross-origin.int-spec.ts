import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { contractTable } from '@aos/contracts';
import { startGatewayInProcess, type GatewayInProcess, type TeamAtGateway } from './gateway-in-process.js';
import { legacy } from './mcp-client.js';

const allowed = 'https://app.example.com';
const own = 'http://gateway.test';
const id = '00000000-0000-7000-8000-000000000000';

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** A browser sets `Origin` by itself, so `fetch` does not let one set it. */
function sender(url: string) {
  return (
    method: string,
    path: string,
    headers: Record<string, string> = {},
    body?: object,
  ): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const json: Record<string, string> = body ? { 'content-type': 'application/json' } : {};
      const sent = httpRequest(url + path, { method, headers: { ...json, ...headers } }, (incoming) => {
        let text = '';
        incoming.on('data', (chunk: Buffer) => (text += chunk.toString()));
        incoming.on('end', () => resolve({ status: incoming.statusCode!, headers: incoming.headers, text }));
      });
      sent.on('error', reject).end(body && JSON.stringify(body));
    });
}

function corsOf({ headers }: Answer): Record<string, unknown> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith('access-control-')));
}

const readable = { 'access-control-allow-origin': allowed, 'access-control-expose-headers': '*' };

describe('web pages of other origins', () => {
  let gateway: GatewayInProcess;
  let team: TeamAtGateway;
  let send: ReturnType<typeof sender>;

  beforeAll(async () => {
    gateway = await startGatewayInProcess({
      CORS_ALLOWED_ORIGINS: `${allowed},http://localhost:5173,${own}`,
    });
    team = await gateway.newTeam();
    send = sender(gateway.url);
  });

  afterAll(() => gateway?.stop());

  const preflight = (path: string, origin: string, method = 'POST') =>
    send('OPTIONS', path, {
      origin,
      'access-control-request-method': method,
      'access-control-request-headers': 'authorization,content-type,idempotency-key',
    });

  const paths = [...new Set(contractTable.operations.map(({ path }) => path))];

  it.each(paths)('%s: may be called from an origin that is named', async (path) => {
    const answer = await preflight(path.replaceAll(/\{\w+\}/g, id), allowed);
    const { allow, vary } = answer.headers;
    expect([answer.status, answer.text, vary]).toEqual([204, '', 'origin']);
    expect(corsOf(answer)).toEqual({
      'access-control-allow-origin': allowed,
      'access-control-allow-methods': allow,
      'access-control-allow-headers': 'authorization, *',
      'access-control-max-age': '600',
    });
  });

  it('may read what they are answered, refusals too', async () => {
    const bearer = { authorization: `Bearer ${team.key}`, origin: allowed };
    const answers = {
      200: await send('GET', `/v2/teams/${team.id}`, bearer),
      401: await send('GET', `/v2/teams/${team.id}`, { origin: allowed }),
      403: await send('GET', `/v2/teams/${id}`, bearer),
      404: await send('GET', '/v2/nothing', bearer),
      405: await send('PATCH', '/v2/mcp', bearer),
      400: await send('POST', `/v2/teams/${team.id}/api-keys`, bearer, { name: 7 }),
    };
    for (const [status, answer] of Object.entries(answers)) {
      expect([answer.status, corsOf(answer), answer.headers['vary']]).toEqual([
        Number(status),
        readable,
        'origin',
      ]);
    }
    for (const path of ['/v2/openapi.json', '/oauth/jwks', '/.well-known/oauth-authorization-server']) {
      const answer = await send('GET', path, { origin: allowed });
      expect([path, answer.status, corsOf(answer)]).toEqual([path, 200, readable]);
    }
    const compressed = await send('GET', '/v2/openapi.json', { origin: allowed, 'accept-encoding': 'br' });
    expect(compressed.headers['vary']).toBe('origin, accept-encoding');
  });

  it.each([
    'https://evil.example',
    'https://app.example.com.evil.example',
    'http://app.example.com',
    'https://app.example.com:8443',
    'HTTPS://app.example.com',
    'null',
    '*',
    '',
  ])('of the origin "%s" learn nothing', async (origin) => {
    for (const answer of [
      await preflight(`/v2/teams/${team.id}/runs`, origin),
      await send('GET', `/v2/teams/${team.id}`, { origin, authorization: `Bearer ${team.key}` }),
    ]) {
      expect([corsOf(answer), answer.headers['vary']]).toEqual([{}, 'origin']);
    }
  });

  it('may not read the pages for people', async () => {
    for (const path of ['/', '/console', '/docs', '/healthz', '/console/sign-in']) {
      for (const answer of [await send('GET', path, { origin: allowed }), await preflight(path, allowed)]) {
        expect([path, corsOf(answer), answer.headers['vary'] ?? '']).toEqual([
          path,
          {},
          expect.not.stringContaining('origin'),
        ]);
      }
    }
  });

  it('never act with the session of a person, nor are told that a cookie may come along', async () => {
    const page = { origin: own, 'x-aos-request': '1' };
    const signedIn = await send('POST', '/auth/sign-in', page, { api_key: team.key });
    const cookie = signedIn.headers['set-cookie']![0]!.split(';')[0]!;
    const ask = (headers: Record<string, string>) =>
      send('GET', `/v2/teams/${team.id}`, { cookie, ...headers });
    expect([(await ask({})).status, (await ask({ origin: own })).status]).toEqual([200, 200]);
    const refused = await ask({ origin: allowed });
    expect([refused.status, corsOf(refused)]).toEqual([401, readable]);
    const bearer = { authorization: `Bearer ${team.key}` };
    expect((await ask({ origin: allowed, ...bearer })).status).toBe(200);
    const changed = await send(
      'POST',
      `/v2/teams/${team.id}/api-keys`,
      { ...page, cookie, origin: allowed },
      {},
    );
    expect(changed.status).toBe(401);
    for (const path of ['/auth/session', '/auth/sign-in']) {
      const answer = await send('GET', path, { cookie, origin: allowed });
      expect(corsOf(answer)).toEqual({});
      expect(answer.status).toBeGreaterThanOrEqual(400);
    }
  });

  it('of the own origin need nothing of it', async () => {
    const answer = await send('GET', `/v2/teams/${team.id}`, {
      origin: own,
      authorization: `Bearer ${team.key}`,
    });
    expect([answer.status, corsOf(answer)]).toEqual([200, {}]);
  });

  it('may speak MCP, if they are named', async () => {
    const post = (origin: string) =>
      send('POST', '/v2/mcp', { origin, authorization: `Bearer ${team.key}` }, legacy('ping'));
    const [answer, refused] = [await post(allowed), await post('https://evil.example')];
    expect([answer.status, corsOf(answer)]).toEqual([200, readable]);
    expect([refused.status, corsOf(refused)]).toEqual([403, {}]);
  });

  it('are not allowed where nobody is named', async () => {
    const closed = await gateway.another({ CORS_ALLOWED_ORIGINS: '' });
    const ask = sender(closed.url);
    for (const answer of [
      await ask('OPTIONS', '/v2/teams', { origin: allowed, 'access-control-request-method': 'POST' }),
      await ask('GET', `/v2/teams/${team.id}`, { origin: allowed, authorization: `Bearer ${team.key}` }),
    ]) {
      expect([corsOf(answer), answer.headers['vary']]).toEqual([{}, undefined]);
    }
    await closed.stop();
  });
});
