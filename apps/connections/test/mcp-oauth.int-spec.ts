import {
  authorizeMcpOAuth,
  checkMcpOAuth,
  createConnection,
  probeMcpServer,
  type OperationResponse,
} from '@aos/contracts';
import { startProtectedMcpServer, type ProtectedMcpServer } from '@aos/testing';
import {
  startConnections,
  type ConnectionsClient,
  type ConnectionsUnderTest,
} from './connections-under-test.js';

describe('OAuth with an MCP server', () => {
  let under: ConnectionsUnderTest;
  let mcp: ProtectedMcpServer;

  beforeAll(async () => {
    under = await startConnections({ server: { scopes: ['mcp:tools', 'mcp:admin'] } });
    mcp = await startProtectedMcpServer(under.provider);
  });

  afterAll(async () => {
    await mcp?.close();
    await under?.stop();
  });

  async function begin(more: object = {}): Promise<OperationResponse<typeof authorizeMcpOAuth>> {
    return under.team.succeed(authorizeMcpOAuth, { body: { mcp_server_url: mcp.url, ...more } });
  }

  async function connect(more: object = {}): Promise<string> {
    const started = await begin(more);
    const redirected = await under.provider.consent(started.authorization_url);
    await under.team.comeBack(redirected);
    return started.connection_id;
  }

  it('is found out without a trace', async () => {
    const found = await under.team.succeed(checkMcpOAuth, { body: { mcp_server_url: mcp.url } });
    expect(found).toMatchObject({
      supports_oauth: true,
      supports_dcr: true,
      token_endpoint: `${under.provider.issuer}/token`,
    });
    expect(found.scopes).toContain('mcp:tools');
    const rows = await under.database.query('SELECT 1 FROM connections.connection');
    expect(rows).toEqual([]);
  });

  it('connects by discovery, registration and PKCE, with a token for this server alone', async () => {
    const id = await connect({ name: 'Tools of ours' });
    const connection = await under.team.read(id);
    expect(connection).toMatchObject({
      type: 'custom_mcp',
      status: 'active',
      server_url: mcp.url,
      name: 'Tools of ours',
    });
    expect(connection.oauth_scopes).toContain('mcp:tools');
    expect(under.provider.registrations()).toBe(1);
    const token = await under.team.token(id);
    expect(await under.provider.introspect(token)).toMatchObject({ audience: mcp.url });
    const probed = await under.team.succeed(probeMcpServer, {
      body: { server_url: mcp.url, headers: { Authorization: `Bearer ${token}` } },
    });
    expect(probed).toEqual({ success: true, tools: [{ name: 'echo', description: 'Says it again' }] });
  });

  it('asks for more once the server wants more, and keeps what it has until then', async () => {
    const id = await connect();
    const opened = await under.team.open(id);
    if (!opened.ok) throw new Error(opened.message);
    const failure = { kind: 'insufficient_scope', scope: 'mcp:tools mcp:admin' } as const;
    for (let time = 0; time < 2; time += 1) {
      expect(await under.team.report(id, opened.connection.version, failure)).toEqual({ retry: false });
    }
    expect(await under.team.read(id)).toMatchObject({ status: 'active', required_scopes: ['mcp:admin'] });
    const told = (await under.events(id)).filter((event) => event.startsWith('connection.action_required'));
    expect(told).toEqual(['connection.action_required active']);
    const again = await begin({ reconnect_connection_id: id });
    expect(new URL(again.authorization_url).searchParams.get('scope')!.split(' ')).toEqual(
      expect.arrayContaining(['mcp:tools', 'mcp:admin']),
    );
    const redirected = await under.provider.consent(again.authorization_url);
    await under.team.comeBack(redirected);
    const mended = await under.team.read(id);
    expect([mended.required_scopes, mended.oauth_scopes]).toEqual([
      [],
      expect.arrayContaining(['mcp:admin']),
    ]);
  });

  it('refreshes after a 401, and breaks if a young token is refused', async () => {
    const id = await connect();
    const version = async () => {
      const opened = await under.team.open(id);
      if (!opened.ok) throw new Error(opened.message);
      return opened.connection.version;
    };
    const first = await version();
    await under.database.query(
      `UPDATE connections.connection SET token_obtained_at = now() - interval '1 hour' WHERE id = $1`,
      [id],
    );
    expect(await under.team.report(id, first, { kind: 'unauthorized' })).toEqual({ retry: true });
    // Old news of the old token.
    expect(await under.team.report(id, first, { kind: 'unauthorized' })).toEqual({ retry: true });
    expect(await under.team.report(id, await version(), { kind: 'unauthorized' })).toEqual({ retry: false });
    expect(await under.team.read(id)).toMatchObject({ status: 'broken' });
  });

  it('asks for more with a client that the server knows, for it may have forgotten the former one', async () => {
    const id = await connect();
    // As if the server had lost its clients, and the token were one that needs no looking up.
    await under.database.query(
      `UPDATE connections.connection SET oauth = oauth || '{"client_id": "forgotten"}' WHERE id = $1`,
      [id],
    );
    await connect({ reconnect_connection_id: id, scopes: ['mcp:tools', 'mcp:admin'] });
    expect(await under.team.read(id)).toMatchObject({
      status: 'active',
      oauth_scopes: expect.arrayContaining(['mcp:admin']),
    });
  });

  it('registers anew for a connection that is broken, too', async () => {
    const id = await connect();
    const registered = under.provider.registrations();
    // As if the server had forgotten it.
    await under.database.query(
      `UPDATE connections.connection
          SET oauth = oauth || '{"client_id": "forgotten"}',
              token_stale_at = now() - interval '1 second', token_expires_at = now() - interval '1 second'
        WHERE id = $1`,
      [id],
    );
    expect(await under.team.open(id)).toMatchObject({
      ok: false,
      obstacle: 'broken',
      message: expect.stringContaining('invalid_client'),
    });
    await connect({ reconnect_connection_id: id });
    expect(under.provider.registrations()).toBe(registered + 1);
    expect(await under.team.read(id)).toMatchObject({ status: 'active', broken_at: null });
    expect(await under.provider.introspect(await under.team.token(id))).toMatchObject({ audience: mcp.url });
  });

  it('goes to no private address, whoever names it', async () => {
    const refused = { status: 400, body: { error: 'invalid_request' } };
    for (const url of [
      'http://127.0.0.2:9/mcp',
      'http://localhost/mcp',
      'http://169.254.169.254/',
      'ftp://x.com/',
    ]) {
      const body = { mcp_server_url: url };
      expect(await under.team.call(checkMcpOAuth, { body })).toMatchObject(refused);
      expect(await under.team.call(authorizeMcpOAuth, { body })).toMatchObject(refused);
      expect(await under.team.call(probeMcpServer, { body: { server_url: url } })).toMatchObject(refused);
      expect(await under.team.call(createConnection, { body: { name: 'n', server_url: url } })).toMatchObject(
        refused,
      );
    }
    const named = mcp.resourceMetadataUrl;
    mcp.resourceMetadataUrl = 'http://127.0.0.2:9/.well-known/oauth-protected-resource';
    try {
      expect(await under.team.call(authorizeMcpOAuth, { body: { mcp_server_url: mcp.url } })).toMatchObject(
        refused,
      );
    } finally {
      mcp.resourceMetadataUrl = named;
    }
  });

  it('is tried with the credentials of a connection, which is broken if they are refused', async () => {
    const id = await connect({ name: 'Tried' });
    const tried = (connectionId: string) =>
      under.team.succeed(probeMcpServer, { body: { connection_id: connectionId } });
    expect(await tried(id)).toEqual({
      success: true,
      tools: [{ name: 'echo', description: 'Says it again' }],
    });
    const keyed = await under.team.succeed(createConnection, {
      body: { name: 'Wrong key', server_url: mcp.url, auth_method: 'apikey', api_key: 'wrong' },
    });
    expect(await tried(keyed.connection_id)).toEqual({
      success: false,
      error: expect.stringContaining('401'),
    });
    expect(await under.team.read(keyed.connection_id)).toMatchObject({ status: 'broken' });
    expect(await tried(keyed.connection_id)).toMatchObject({ success: false });
    // One whose server is away is not broken: nothing is wrong with its credentials.
    const away = await under.team.succeed(createConnection, {
      body: { name: 'Away', server_url: 'http://127.0.0.1:59999/mcp', auth_method: 'none' },
    });
    expect(await tried(away.connection_id)).toMatchObject({ success: false });
    expect(await under.team.read(away.connection_id)).toMatchObject({ status: 'active' });
  });

  it('is tried by one name, and only within the team', async () => {
    const id = await connect();
    const call = (team: ConnectionsClient, body: object) => team.call(probeMcpServer, { body });
    expect((await call(under.anotherTeam(), { connection_id: id })).status).toBe(404);
    for (const body of [
      {},
      { connection_id: id, server_url: mcp.url },
      { connection_id: id, api_key: 'mine' },
      { connection_id: id, headers: { a: 'b' } },
    ]) {
      expect(await call(under.team, body)).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
    }
  });

  it('says what is wrong with a server that it cannot talk to', async () => {
    expect(await under.team.succeed(probeMcpServer, { body: { server_url: mcp.url } })).toEqual({
      success: false,
      error: expect.stringContaining('401'),
    });
    const dead = 'http://127.0.0.1:1/mcp'.replace(':1/', ':59999/');
    expect(await under.team.succeed(checkMcpOAuth, { body: { mcp_server_url: dead } })).toMatchObject({
      supports_oauth: false,
      error: expect.any(String),
    });
  });
});
