import { startGatewayInProcess, type GatewayInProcess, type TeamAtGateway } from './gateway-in-process.js';

const path = '/tools/aos';
const base = `https://example.test${path}`;
const appOrigin = 'https://app.example.test';

describe('a public address with a path', () => {
  let gateway: GatewayInProcess;
  let team: TeamAtGateway;

  beforeAll(async () => {
    gateway = await startGatewayInProcess({ PUBLIC_BASE_URL: `${base}/`, CORS_ALLOWED_ORIGINS: appOrigin });
    team = await gateway.newTeam();
  });

  afterAll(() => gateway?.stop());

  const get = (at: string, init: RequestInit = {}) =>
    fetch(gateway.url + at, { redirect: 'manual', ...init });
  const bearer = () => ({ authorization: `Bearer ${team.key}` });
  const jsonOf = async (at: string) => (await (await get(at)).json()) as Record<string, unknown>;

  it('is taken with the path, and without it where a proxy has taken it off', async () => {
    for (const prefix of ['', path]) {
      const answers = await Promise.all([
        get(`${prefix}/v2/teams/${team.id}`, { headers: bearer() }),
        get(`${prefix}/v2/teams?limit=1`, { headers: bearer() }),
        get(`${prefix}/healthz`),
        get(`${prefix}/console/runs/1`),
        get(`${prefix}/docs`),
        get(`${prefix}/v2/openapi.json`, { method: 'HEAD' }),
      ]);
      expect([prefix, answers.map(({ status }) => status)]).toEqual([prefix, answers.map(() => 200)]);
      const refused = await get(`${prefix}/v2/teams`, { method: 'PATCH' });
      expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET, HEAD, POST, OPTIONS']);
      const unknown = await get(`${prefix}/v2/nothing`);
      expect(unknown.status).toBe(404);
    }
  });

  it.each(['/tools', '/tools/aosx/v2/teams', '/TOOLS/aos/healthz', `${path}${path}/healthz`, '/aos/healthz'])(
    '%s is another path',
    async (at) => {
      expect((await get(at)).status).toBe(404);
    },
  );

  it.each(['/', path, `${path}/`, `${path}?x=1`])('%s leads to the console below it', async (at) => {
    const answer = await get(at);
    expect([answer.status, answer.headers.get('location')]).toEqual([302, `${path}/console`]);
  });

  it('is in each address of the console and of the API reference, and all of them answer', async () => {
    for (const page of ['/console', '/console/runs/1', '/console/frame.html', '/docs']) {
      const html = await (await get(path + page)).text();
      const addresses = [...html.matchAll(/(?:src|href)="([^"]*)"/g)].map((match) => match[1]!);
      expect(addresses.length).toBeGreaterThan(0);
      for (const address of addresses) {
        expect(address).toMatch(new RegExp(`^${path}/(console|docs)/[\\w./-]+$`));
        expect([address, (await get(address)).status]).toEqual([address, 200]);
      }
    }
    const start = await (await get(`${path}/docs/start.js`)).text();
    expect(start).toContain(`url: '${path}/v2/openapi.json'`);
    expect(await jsonOf(`${path}/v2/openapi.json`)).toMatchObject({ servers: [{ url: base }] });
  });

  it('has its scripts find each other, wherever they are', async () => {
    const html = await (await get(`${path}/console`)).text();
    const [, entry] = /<script[^>]+src="([^"]+)"/.exec(html)!;
    const script = await (await get(entry!)).text();
    expect(script).not.toMatch(/["'`]\/console\/assets/);
    expect(script).not.toContain('"assets/console');
  });

  it('is what OAuth speaks of, also where clients ask at the root of the host (RFC 8414, RFC 9728)', async () => {
    const metadata = {
      issuer: base,
      token_endpoint: `${base}/oauth/token`,
      revocation_endpoint: `${base}/oauth/revoke`,
      jwks_uri: `${base}/oauth/jwks`,
    };
    const document = '/.well-known/oauth-authorization-server';
    for (const at of [document, path + document, document + path]) {
      expect(await jsonOf(at)).toMatchObject(metadata);
    }
    const resource = '/.well-known/oauth-protected-resource';
    for (const part of ['', '/v2/mcp']) {
      const expected = { resource: base + part, authorization_servers: [base] };
      for (const at of [resource + part, path + resource + part, resource + path + part]) {
        expect(await jsonOf(at)).toMatchObject(expected);
      }
    }
    const refused = await get(`${path}/v2/mcp`, { method: 'POST' });
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([
      401,
      `Bearer resource_metadata="${base}/.well-known/oauth-protected-resource/v2/mcp"`,
    ]);
  });

  it('has tokens that are good below it', async () => {
    const { body } = await gateway.call<{ client_id: string; oauth_client: { client_secret: string } }>(
      `/v2/teams/${team.id}/oauth-clients`,
      { key: team.key, body: { name: 'A program' } },
    );
    const answer = await get(`${path}/oauth/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: body.client_id,
        client_secret: body.oauth_client.client_secret,
      }),
    });
    const { access_token: token } = (await answer.json()) as { access_token: string };
    const [, claims] = token.split('.') as [string, string];
    expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toMatchObject({ iss: base });
    for (const prefix of ['', path]) {
      const authorization = `Bearer ${token}`;
      expect((await get(`${prefix}/v2/teams/${team.id}`, { headers: { authorization } })).status).toBe(200);
    }
  });

  it('is allowed to pages of other origins below the path too', async () => {
    const headers = { 'access-control-request-method': 'POST', origin: appOrigin };
    const answer = await get(`${path}/v2/teams`, { method: 'OPTIONS', headers });
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([204, appOrigin]);
  });
});
