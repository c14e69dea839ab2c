import { eventually } from '@aos/testing';
import { sessionsPerKey } from '../src/identity/sessions/session-limits.js';
import { startGatewayInProcess, type GatewayInProcess, type TeamAtGateway } from './gateway-in-process.js';

const address = 'https://agents.example.com/aos';
const own = { origin: 'https://agents.example.com', 'x-aos-request': '1' };

interface View {
  readonly team: { readonly id: string; readonly name: string };
  readonly api_key: { readonly id: string; readonly name: string };
  readonly scopes: readonly string[];
  readonly expires_at: string;
  readonly error?: string;
  readonly message?: string;
}

describe('a session of a browser', () => {
  let gateway: GatewayInProcess;
  let team: TeamAtGateway;

  beforeAll(async () => {
    gateway = await startGatewayInProcess({ PUBLIC_BASE_URL: address });
  });

  afterAll(async () => {
    await gateway?.stop();
  });

  beforeEach(async () => {
    team = await gateway.newTeam();
  });

  const signIn = (key: string, headers: Record<string, string> = own) =>
    gateway.call<View>('/auth/sign-in', { body: { api_key: key }, headers });

  async function cookieOf(key: string): Promise<string> {
    return (await signIn(key)).headers.get('set-cookie')!.split(';')[0]!;
  }

  async function newKey(body: object): Promise<{ id: string; key: string }> {
    const made = await gateway.call<{ api_key: { id: string; key: string } }>(
      `/v2/teams/${team.id}/api-keys`,
      {
        key: team.key,
        body,
      },
    );
    return made.body.api_key;
  }

  const read = (cookie: string, headers: Record<string, string> = {}) =>
    gateway.call<View>('/auth/session', { headers: { cookie, ...headers } });

  const list = (cookie: string, headers: Record<string, string> = {}) =>
    gateway.call<View>(`/v2/teams/${team.id}/api-keys`, { headers: { cookie, ...headers } });

  const change = (cookie: string, headers: Record<string, string>) =>
    gateway.call<View>(`/v2/teams/${team.id}/api-keys`, {
      body: { name: 'made in a session' },
      headers: { cookie, ...headers },
    });

  it('is opened with an API key, and is that key, within its scopes', async () => {
    const reader = await newKey({ name: 'reader', scopes: ['team:read'] });
    const opened = await signIn(reader.key);
    expect(opened).toMatchObject({
      status: 201,
      body: { team: { id: team.id }, api_key: { id: reader.id, name: 'reader' }, scopes: ['team:read'] },
    });
    const cookie = opened.headers.get('set-cookie')!;
    expect(cookie).toMatch(
      /^__Secure-aos_session=aos_session_[\w-]{43}; Path=\/aos; HttpOnly; SameSite=Lax; Secure; Max-Age=604800$/,
    );
    expect(opened.headers.get('cache-control')).toBe('no-store');
    const shown = cookie.split(';')[0]!;
    expect((await read(shown)).body).toEqual(opened.body);
    expect((await gateway.call(`/v2/teams/${team.id}`, { headers: { cookie: shown } })).status).toBe(200);
    expect(await list(shown)).toMatchObject({ status: 403, body: { error: 'insufficient_scope' } });
    // The token is no bearer credential, and is kept nowhere.
    const token = shown.split('=')[1]!;
    expect((await gateway.call(`/v2/teams/${team.id}`, { key: token })).status).toBe(401);
    const rows = await gateway.database.query<object>('SELECT * FROM gateway.sign_in_session');
    expect(JSON.stringify(rows)).not.toContain(token.replace('aos_session_', ''));
  });

  it('is none where nobody has signed in', async () => {
    expect((await gateway.call('/auth/session')).status).toBe(204);
    expect((await read('__Secure-aos_session=aos_session_unknown')).status).toBe(401);
    expect((await gateway.call('/auth/sign-out', { method: 'POST', headers: own })).status).toBe(200);
  });

  it('is opened with nothing else', async () => {
    expect((await signIn('aos_unknown')).status).toBe(401);
    expect((await signIn(gateway.environment['ADMIN_KEY']!)).status).toBe(403);
    for (const key of [undefined, '', 7]) {
      const answer = await gateway.call('/auth/sign-in', { body: { api_key: key }, headers: own });
      expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
    }
  });

  it('changes something only for the pages of the service', async () => {
    const cookie = await cookieOf(team.key);
    expect((await change(cookie, own)).status).toBe(201);
    for (const headers of [
      {},
      { 'x-aos-request': '1' },
      { origin: own.origin },
      { ...own, origin: 'https://evil.test' },
      { ...own, origin: 'http://agents.example.com' },
      { ...own, 'sec-fetch-site': 'cross-site' },
    ] as Record<string, string>[]) {
      expect(await change(cookie, headers)).toMatchObject({ status: 403, body: { error: 'forbidden' } });
    }
  });

  it('is read for no page of another origin, nor opened or ended for one', async () => {
    const cookie = await cookieOf(team.key);
    expect((await list(cookie, { origin: own.origin })).status).toBe(200);
    for (const headers of [{ origin: 'https://evil.test' }, { 'sec-fetch-site': 'same-site' }] as Record<
      string,
      string
    >[]) {
      const answer = await list(cookie, headers);
      expect([answer.status, answer.headers.get('access-control-allow-credentials')]).toEqual([403, null]);
      expect((await read(cookie, headers)).status).toBe(403);
    }
    const evil = { ...own, origin: 'https://evil.test' };
    expect((await signIn(team.key, evil)).status).toBe(403);
    const left = { method: 'POST', headers: { cookie, ...evil } };
    expect((await gateway.call('/auth/sign-out', left)).status).toBe(403);
    expect((await read(cookie)).status).toBe(200);
  });

  it('is no credential of MCP clients', async () => {
    const cookie = await cookieOf(team.key);
    const body = { jsonrpc: '2.0', id: 1, method: 'ping' };
    const headers = { accept: 'application/json, text/event-stream', cookie, 'x-aos-request': '1' };
    expect((await gateway.call('/v2/mcp', { body, headers })).status).toBe(401);
  });

  it('is not asked where there is a bearer credential', async () => {
    const cookie = await cookieOf(team.key);
    const wrong = await gateway.call(`/v2/teams/${team.id}`, { key: 'aos_wrong', headers: { cookie } });
    expect(wrong.status).toBe(401);
    const right = { key: team.key, headers: { cookie, origin: 'https://evil.test' } };
    expect((await gateway.call(`/v2/teams/${team.id}`, right)).status).toBe(200);
  });

  it('ends when the person signs out, everywhere', async () => {
    const other = await gateway.another();
    try {
      const cookie = await cookieOf(team.key);
      const atOther = () => other.call(`/v2/teams/${team.id}`, { headers: { cookie } });
      expect((await atOther()).status).toBe(200);
      const left = await gateway.call('/auth/sign-out', { method: 'POST', headers: { cookie, ...own } });
      expect(left.status).toBe(200);
      expect(left.headers.get('set-cookie')).toContain('Max-Age=0');
      await eventually(async () => expect((await atOther()).status).toBe(401));
      expect((await read(cookie)).status).toBe(401);
    } finally {
      await other.stop();
    }
  });

  it('ends with its key, and says so', async () => {
    const { id, key } = await newKey({ name: 'short' });
    const cookie = await cookieOf(key);
    await gateway.call(`/v2/teams/${team.id}/api-keys/${id}`, { method: 'DELETE', key: team.key });
    await eventually(async () => expect((await list(cookie)).status).toBe(401));
    const gone = await read(cookie);
    expect(gone).toMatchObject({ status: 401, body: { message: expect.stringContaining('was revoked') } });
    expect(gone.headers.get('set-cookie')).toContain('Max-Age=0');

    const ending = await newKey({ name: 'ends', expires_at: '2098-01-01T00:00:00.000Z' });
    const later = await cookieOf(ending.key);
    await gateway.database.query(`UPDATE gateway.api_key SET expires_at = now() WHERE id = $1`, [ending.id]);
    await eventually(async () => expect((await list(later)).status).toBe(401));
    expect((await read(later)).body.message).toContain('has expired');
  });

  it('ends 12 hours after its last use, and 7 days after it was opened', async () => {
    const cookie = await cookieOf(team.key);
    const set = (columns: string) =>
      gateway.database.query(`UPDATE gateway.sign_in_session SET ${columns} WHERE team_id = $1`, [team.id]);
    await set(`used_at = now() - interval '11 hours'`);
    expect((await read(cookie)).status).toBe(200);
    // It was used just now.
    const [row] = await gateway.database.query<{ fresh: boolean }>(
      `SELECT used_at > now() - interval '1 minute' AS fresh FROM gateway.sign_in_session WHERE team_id = $1`,
      [team.id],
    );
    expect(row!.fresh).toBe(true);
    await set(`used_at = now() - interval '13 hours'`);
    expect((await read(cookie)).body.message).toContain('ended');
    await set(`used_at = now(), expires_at = now()`);
    expect((await read(cookie)).status).toBe(401);
    await eventually(async () => expect((await list(cookie)).status).toBe(401));
    // What has ended goes when the next one is opened.
    await cookieOf(team.key);
    expect(await sessions()).toBe(1);
  });

  it('is replaced by the next one of the browser', async () => {
    const first = await cookieOf(team.key);
    const second = await signIn(team.key, { ...own, cookie: first });
    expect(second.status).toBe(201);
    expect((await read(first)).status).toBe(401);
    expect(await sessions()).toBe(1);
  });

  it('is one of so many of a key, the newest', async () => {
    const first = await cookieOf(team.key);
    await gateway.database.query(
      `INSERT INTO gateway.sign_in_session
       SELECT ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, s.team_id, s.api_key_id, 'hash ' || n,
              s.created_at, s.used_at, s.expires_at
         FROM gateway.sign_in_session s, generate_series(1, $2::int) n WHERE s.team_id = $1`,
      [team.id, sessionsPerKey],
    );
    const second = await cookieOf(team.key);
    expect(await sessions()).toBe(sessionsPerKey);
    for (const cookie of [first, second]) expect((await read(cookie)).status).toBe(200);
  });

  async function sessions(): Promise<number> {
    const [row] = await gateway.database.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM gateway.sign_in_session WHERE team_id = $1`,
      [team.id],
    );
    return row!.count;
  }
});
