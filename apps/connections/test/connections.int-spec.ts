import {
  createConnection,
  deleteConnection,
  getConnection,
  listConnections,
  updateConnection,
  type Connection,
} from '@aos/contracts';
import { Transactions } from '@aos/persistence';
import { uuidv7 } from 'uuidv7';
import { ConnectionsService } from '../src/connections/connections.service.js';
import { startConnections, type ConnectionsUnderTest } from './connections-under-test.js';

const server_url = 'https://mcp.example.com/mcp';

describe('connections', () => {
  let under: ConnectionsUnderTest;

  beforeAll(async () => {
    under = await startConnections();
  });

  afterAll(() => under?.stop());

  const make = (body: object): Promise<Connection> =>
    under.team.succeed(createConnection, {
      body: { name: 'Mine', server_url, ...body },
    }) as Promise<Connection>;
  const change = (id: string, body: object) =>
    under.team.call(updateConnection, { params: { connection_id: id }, body });

  it('have headers, of which the plain ones are shown and all are sent', async () => {
    const made = await make({
      headers: { plaintext: { 'X-Region': 'eu' }, secret: { 'X-Key': 'very-secret' } },
    });
    expect(made).toMatchObject({
      auth_method: 'headers',
      status: 'active',
      has_headers: true,
      provider: 'mcp',
    });
    expect(made.headers).toEqual({ plaintext: { 'X-Region': 'eu' } });
    expect(JSON.stringify(made)).not.toContain('very-secret');
    expect(await under.team.open(made.id)).toMatchObject({
      ok: true,
      connection: { headers: { 'X-Region': 'eu', 'X-Key': 'very-secret' }, hosts: ['mcp.example.com'] },
    });
    const all = await make({ headers: { plaintext: 'is a header here', 'X-Key': 'k' } });
    expect(all.headers).toEqual({ plaintext: {} });
    expect(await under.events(made.id)).toEqual(['connection.updated active']);
  });

  it('have a key that is sent as a bearer, or nothing', async () => {
    const { id } = await make({ auth_method: 'apikey', api_key: 'key-of-mine' });
    expect(await under.team.token(id)).toBe('key-of-mine');
    const none = await make({});
    expect(none).toMatchObject({ auth_method: 'none', has_headers: false, status: 'active' });
    const native = await make({ type: 'native', provider: 'github', server_url: undefined, api_key: 'ghp' });
    expect(native).toMatchObject({ server_url: 'https://api.github.com', provider: 'github' });
  });

  it.each<[string, object]>([
    ['name', { name: '' }],
    ['server_url', { server_url: undefined }],
    ['provider', { type: 'native' }],
    ['provider', { type: 'native', provider: 'nobody' }],
    ['server_url', { type: 'native', provider: 'github', server_url: 'https://evil.example', api_key: 'k' }],
    ['headers', { headers: { 'bad name': 'x' } }],
    ['headers', { headers: { Host: 'x' } }],
    ['headers', { headers: { 'X-Key': 'a\r\nb: c' } }],
    ['headers', { headers: { 'X-Key': 5 } }],
    ['api_key', { auth_method: 'apikey' }],
    ['api_key', { api_key: 'a b' }],
    ['headers', { auth_method: 'url', headers: { 'X-Key': 'k' } }],
    ['server_url', { auth_method: 'url', server_url: undefined }],
    ['auth_method', { auth_method: 'url', type: 'native', provider: 'github' }],
  ])('are refused with the name of the field %s: %j', async (field, body) => {
    const answer = await under.team.call(createConnection, { body: { name: 'Mine', server_url, ...body } });
    expect([answer.status, answer.body.message]).toEqual([400, expect.stringContaining(`${field}: `)]);
  });

  it('have an address that is their credential, of which only the origin is shown', async () => {
    const secret = 'https://mcp.example.com/s/0123456789abcdef/mcp?key=very-secret';
    const request = { body: { name: 'Mine', auth_method: 'url', server_url: secret }, key: 'by address' };
    const answer = await under.team.call(createConnection, request);
    const again = await under.team.call(createConnection, request);
    expect([answer.status, again.replayed, again.text]).toEqual([201, true, answer.text]);
    const { id } = answer.body;
    expect(answer.body).toMatchObject({
      auth_method: 'url',
      server_url: 'https://mcp.example.com',
      status: 'active',
      has_headers: false,
    });
    const opened = { server_url: secret, has_secret_address: true, headers: {}, hosts: ['mcp.example.com'] };
    expect(await under.team.open(id)).toMatchObject({ ok: true, connection: opened });
    const stored = await under.database.query('SELECT * FROM connections.connection WHERE id = $1', [id]);
    const records = await under.database.query('SELECT * FROM connections.idempotency_record');
    const listed = await under.team.succeed(listConnections, { query: { limit: '100' } });
    for (const seen of [stored, records, listed, await under.team.read(id)]) {
      expect(JSON.stringify(seen)).not.toMatch(/very-secret|0123456789abcdef/);
    }

    // Sending back the address as it is shown changes nothing.
    const shown = { name: 'Renamed', auth_method: 'url', server_url: 'https://mcp.example.com' };
    expect(await change(id, shown)).toMatchObject({ status: 200, body: { name: 'Renamed' } });
    expect(await under.team.open(id)).toMatchObject({ connection: opened });
    for (const body of [{ auth_method: 'none' }, { headers: { 'X-Key': 'k' } }]) {
      const refused = await change(id, body);
      expect([refused.status, refused.body.message]).toEqual([400, expect.stringContaining('server_url: ')]);
    }
    const moved = 'https://elsewhere.example.com//s/fedcba9876543210';
    expect(await change(id, { server_url: moved })).toMatchObject({
      status: 200,
      body: { auth_method: 'url', server_url: 'https://elsewhere.example.com' },
    });
    expect(await under.team.open(id)).toMatchObject({ connection: { server_url: moved } });
    const plain = 'https://elsewhere.example.com/mcp';
    expect(await change(id, { auth_method: 'none', server_url: plain })).toMatchObject({
      body: { auth_method: 'none', server_url: plain },
    });
    expect(await under.team.open(id)).toMatchObject({
      connection: { server_url: plain, has_secret_address: false },
    });
    const sealed = 'SELECT sealed_path FROM connections.connection WHERE id = $1';
    expect(await under.database.query(sealed, [id])).toEqual([{ sealed_path: null }]);
    const open = await make({});
    const refused = await change(open.id, { auth_method: 'url' });
    expect([refused.status, refused.body.message]).toEqual([400, expect.stringContaining('server_url: ')]);
  });

  it('are changed; another server gets no secret that was not given for it', async () => {
    const { id } = await make({ headers: { 'X-Key': 'for-the-first' } });
    expect(await change(id, { name: 'Renamed' })).toMatchObject({ status: 200, body: { name: 'Renamed' } });
    const elsewhere = 'https://elsewhere.example.com/';
    expect(await change(id, { server_url: elsewhere })).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('server_url: ') },
    });
    const moved = await change(id, { server_url: elsewhere, headers: { 'X-Key': 'for-the-second' } });
    expect(moved).toMatchObject({ status: 200, body: { server_url: elsewhere } });
    expect(await under.team.open(id)).toMatchObject({
      connection: { headers: { 'X-Key': 'for-the-second' } },
    });
  });

  it('that are moved while they get a secret for their server are not moved', async () => {
    const { id } = await make({});
    const { app } = under.running;
    const connections = app.get(ConnectionsService);
    const moving = await connections.prepareChange(under.team.teamId, id, {
      server_url: 'https://elsewhere.example.com/',
    });
    expect(await change(id, { headers: { 'X-Key': 'for-the-first' } })).toMatchObject({ status: 200 });
    const moved = app.get(Transactions).run(() => connections.change(moving));
    await expect(moved).rejects.toMatchObject({ code: 'invalid_state' });
    expect(await under.team.read(id)).toMatchObject({ server_url });
  });

  it('that a server refuses are broken, and mended by new credentials', async () => {
    const { id } = await make({ api_key: 'old' });
    const opened = await under.team.open(id);
    if (!opened.ok) throw new Error(opened.message);
    const { version } = opened.connection;
    expect(await under.team.report(id, version, { kind: 'unauthorized' })).toEqual({ retry: false });
    expect(await under.team.open(id)).toMatchObject({ ok: false, obstacle: 'broken', name: 'Mine' });
    expect((await under.events(id)).at(-1)).toBe('connection.action_required broken');
    expect(await change(id, { api_key: 'new' })).toMatchObject({
      body: { status: 'active', broken_at: null },
    });
    // What was known of the old one says nothing of the new one.
    await under.team.report(id, version, { kind: 'unauthorized' });
    expect(await under.team.token(id)).toBe('new');
  });

  it('are of one team', async () => {
    const { id } = await make({});
    const stranger = under.anotherTeam();
    const params = { connection_id: id };
    for (const operation of [getConnection, updateConnection, deleteConnection]) {
      const [foreign, unknown] = [
        await stranger.call(operation, { params }),
        await stranger.call(operation, { params: { connection_id: uuidv7() } }),
      ];
      expect([foreign.status, foreign.text]).toEqual([404, unknown.text]);
    }
    expect(await stranger.open(id)).toEqual({
      ok: false,
      id,
      name: null,
      obstacle: 'unknown',
      message: expect.any(String),
    });
    expect(await stranger.succeed(listConnections)).toMatchObject({ connections: [], total: 0 });
  });

  it('are listed in pages, and deleted', async () => {
    const team = under.anotherTeam();
    const ids: string[] = [];
    for (let count = 0; count < 3; count += 1) {
      ids.push((await team.succeed(createConnection, { body: { name: `c${count}`, server_url } })).id);
    }
    const page = await team.succeed(listConnections, { query: { limit: '2', offset: '1' } });
    expect([page.connections.map(({ id }) => id), page.total]).toEqual([ids.slice(1), 3]);
    expect(page.integrations).toEqual(page.connections);
    const native = await team.succeed(createConnection, {
      body: { name: 'native', type: 'native', provider: 'github', api_key: 'ghp' },
    });
    const ofType = async (type: string) => {
      const { connections, integrations, total } = await team.succeed(listConnections, { query: { type } });
      expect(integrations).toEqual(connections);
      return [connections.map(({ id }) => id), total];
    };
    expect(await ofType('native')).toEqual([[native.id], 1]);
    expect(await ofType('custom_mcp')).toEqual([ids, 3]);
    expect((await team.call(listConnections, { query: { type: 'other' } })).status).toBe(400);
    const params = { connection_id: ids[0]! };
    expect(await team.succeed(deleteConnection, { params })).toMatchObject({ success: true });
    expect(await team.call(getConnection, { params })).toMatchObject({ status: 404 });
  });

  it('are at most 1,000, also when made at once', async () => {
    const team = under.anotherTeam();
    await under.database.query(
      `INSERT INTO connections.connection (id, team_id, name, type, provider, server_url, auth_method, status, headers,
         oauth_scopes, required_scopes, credentials_version, refresh_failures, refresh_interrupted, is_draft,
         created_at, updated_at)
       SELECT gen_random_uuid(), $1, 'n', 'custom_mcp', 'mcp', 'https://x.example', 'none', 'active', '{}', '{}', '{}',
         1, 0, false, false, now(), now() FROM generate_series(1, 998)`,
      [team.teamId],
    );
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => team.call(createConnection, { body: { name: 'n', server_url } })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 409, 409, 409]);
  });

  it('give their tokens back when they are deleted', async () => {
    const { id } = await under.team.connect();
    const token = await under.team.token(id);
    const deleted = await under.team.succeed(deleteConnection, { params: { connection_id: id } });
    expect(deleted.message).toContain('revoked');
    expect(await under.provider.introspect(token)).toBeUndefined();
  });
});
