import {
  authorizeMcpOAuth,
  deleteConnection,
  getConnection,
  oauthCallbackOfConnection,
} from '@aos/contracts';
import { eventually, startProtectedMcpServer, type ProtectedMcpServer } from '@aos/testing';
import { RefreshLoop } from '../src/token-refresh/refresh-loop.js';
import { redirectUri, startConnections, type ConnectionsUnderTest } from './connections-under-test.js';
import {
  startCrookedAuthorizationServer,
  type CrookedAnswer,
  type CrookedAuthorizationServer,
} from './crooked-authorization-server.js';

/** A page behind which there is something to log in to. */
const challenged = (status: number, challenge: string): CrookedAnswer => ({
  status,
  challenge,
  body: '<html>Who are you?</html>',
});

describe('an authorization server that answers as it should not', () => {
  let under: ConnectionsUnderTest;
  let crooked: CrookedAuthorizationServer;
  let mcp: ProtectedMcpServer;

  beforeAll(async () => {
    // Nobody looks for tokens that end but the test.
    under = await startConnections({ environment: { OAUTH_REFRESH_EVERY_MS: '600000' } });
    crooked = await startCrookedAuthorizationServer();
    mcp = await startProtectedMcpServer({ issuer: crooked.issuer, introspect: async () => undefined });
  });

  afterEach(() => crooked.behave());

  afterAll(async () => {
    await mcp?.close();
    await crooked?.close();
    await under?.stop();
  });

  const begin = (more: object = {}) =>
    under.team.call(authorizeMcpOAuth, { body: { mcp_server_url: mcp.url, ...more } });

  const comeBack = ({ state, connection_id }: { state: string; connection_id: string }) =>
    under.team.call(oauthCallbackOfConnection, { params: { connection_id }, query: { state, code: 'any' } });

  async function connect(): Promise<string> {
    const { state, connection_id: id } = await under.team.succeed(authorizeMcpOAuth, {
      body: { mcp_server_url: mcp.url },
    });
    expect(await comeBack({ state, connection_id: id })).toMatchObject({ status: 200 });
    return id;
  }

  async function expire(id: string): Promise<void> {
    await under.database.query(
      `UPDATE connections.connection
          SET token_stale_at = now() - interval '1 second', token_expires_at = now() - interval '1 second'
        WHERE id = $1`,
      [id],
    );
  }

  const refreshOf = (id: string) =>
    under.database.query<{ version: number; rests: boolean }>(
      `SELECT credentials_version AS version, refresh_at > now() + interval '50 seconds' AS rests
         FROM connections.connection WHERE id = $1`,
      [id],
    ) as Promise<[{ version: number; rests: boolean }]>;

  async function expectDeletable(id: string): Promise<void> {
    const params = { connection_id: id };
    expect(await under.team.call(deleteConnection, { params })).toMatchObject({
      status: 200,
      body: { success: true, message: 'The connection is deleted.' },
    });
    expect(await under.team.call(getConnection, { params })).toMatchObject({ status: 404 });
  }

  it.each([401, 403, 503])('with a challenge (%d) to a revocation stops no deletion', async (status) => {
    const id = await connect();
    crooked.revoke = challenged(status, 'Basic realm="tokens"');
    await expectDeletable(id);
  });

  it('or that cannot even be asked to revoke stops no deletion', async () => {
    const id = await connect();
    // As of a provider whose secret the operator has taken away.
    await under.database.query(
      `UPDATE connections.connection SET oauth = oauth || '{"client_auth": "client_secret_basic"}' WHERE id = $1`,
      [id],
    );
    await expectDeletable(id);
  });

  it('with a challenge to a registration takes no clients, and the caller is told', async () => {
    crooked.register = challenged(401, 'Bearer realm="clients"');
    expect(await begin()).toMatchObject({
      status: 400,
      body: { error: 'invalid_request', message: expect.stringContaining('refused (HTTP 401)') },
    });
    crooked.register = challenged(503, 'Bearer realm="clients"');
    expect(await begin()).toMatchObject({ status: 503, body: { error: 'unavailable' } });
  });

  it('that takes no new clients knows that of a connection, at the address that it was registered with', async () => {
    const id = await connect();
    const registeredAt = [`${redirectUri}/${id}`, redirectUri];
    for (const address of registeredAt) {
      // The second as a version before registered it.
      await under.database.query(
        `UPDATE connections.connection SET oauth = oauth || jsonb_build_object('redirect_uri', $2::text) WHERE id = $1`,
        [id, address],
      );
      crooked.register = challenged(503, 'Bearer realm="clients"');
      const { body } = await begin({ reconnect_connection_id: id });
      expect(new URL(body.authorization_url).searchParams.get('redirect_uri')).toBe(address);
      const redirected = new URL(`${address}?state=${body.state}&code=any`);
      expect((await under.team.finishWith(redirected)).body).toMatchObject({ title: 'Connected' });
    }
  });

  it('with a challenge to a code gives no tokens, and the person is told', async () => {
    const { body } = await begin();
    crooked.token = challenged(401, 'Basic realm="tokens"');
    expect(await comeBack(body)).toMatchObject({
      status: 400,
      body: { error: 'invalid_request', message: expect.stringContaining('refused (HTTP 401)') },
    });
  });

  it('with a challenge to a refresh breaks the connection, and people are told', async () => {
    const id = await connect();
    await expire(id);
    crooked.token = challenged(401, 'Basic realm="tokens"');
    expect(await under.team.open(id)).toMatchObject({ ok: false, obstacle: 'broken' });
    const { status, broken_reason: reason } = await under.team.read(id);
    expect([status, reason]).toEqual(['broken', expect.stringContaining('HTTP 401')]);
    expect((await under.events(id)).at(-1)).toBe('connection.action_required broken');
  });

  it('with a challenge while it is away breaks nothing, and is asked again later', async () => {
    const id = await connect();
    await expire(id);
    crooked.token = challenged(503, 'Basic realm="tokens"');
    expect(await under.team.open(id)).toMatchObject({ ok: false, obstacle: 'unavailable' });
    expect(await under.team.read(id)).toMatchObject({ status: 'active' });
    const [row] = await under.database.query(
      `SELECT refresh_failures, refresh_lease_id, refresh_at > now() AS waits
         FROM connections.connection WHERE id = $1`,
      [id],
    );
    expect(row).toEqual({ refresh_failures: 1, refresh_lease_id: null, waits: true });
  });

  it.each([
    { client_secret: 's', client_secret_expires_at: 1e15 },
    { client_secret_expires_at: 'the end of days' },
  ])('with a client that ends on no date has one that does not end: %j', async (given) => {
    crooked.register = { status: 201, body: { client_id: 'c', ...given } };
    const id = await connect();
    const [row] = await under.database.query(
      `SELECT status, oauth->'client_expires_at' AS ends FROM connections.connection WHERE id = $1`,
      [id],
    );
    expect(row).toEqual({ status: 'active', ends: null });
  });

  it.each([
    { issuer: 'https://login.example.com/\u0000' },
    { authorization_endpoint: 'https://login.example.com/\u0000' },
    { token_endpoint: 'https://login.example.com/\ud800' },
    { revocation_endpoint: 'https://login.example.com/?\udc00' },
    { registration_endpoint: 'https://login.example.com/\u0000' },
  ])('with metadata that no text should hold cannot be used: %j', async (metadata) => {
    crooked.metadata = metadata;
    expect(await begin()).toMatchObject({
      status: 400,
      body: { error: 'invalid_request', message: expect.stringContaining('mcp_server_url: ') },
    });
  });

  it('or whose MCP server says of itself what no text should hold, cannot be used', async () => {
    const url = { mcp_server_url: `${crooked.issuer}/mcp` };
    expect(await begin(url)).toMatchObject({ status: 201 });
    for (const resource of [
      { resource: `${crooked.issuer}/?\u0000` },
      { scopes_supported: ['re\u0000ad'] },
    ]) {
      crooked.resource = resource;
      expect(await begin(url)).toMatchObject({
        status: 400,
        body: { error: 'invalid_request', message: expect.stringContaining('mcp_server_url: ') },
      });
    }
  });

  it.each([
    { client_id: 'c\u0000' },
    { client_id: 'c\ud800' },
    { client_secret: 's\u0000' },
    { client_secret: 's\ud800' },
    { token_endpoint_auth_method: '\u0000' },
    { token_endpoint_auth_method: 'private_key_jwt' },
    { token_endpoint_auth_method: ['client_secret_post'] },
    { token_endpoint_auth_method: { method: '\ud800' } },
  ])('with a client that is none cannot be used: %j', async (given) => {
    const body = { client_id: 'c', client_secret: 's', client_secret_expires_at: 0, ...given };
    crooked.register = { status: 201, body };
    expect(await begin()).toMatchObject({
      status: 400,
      body: { error: 'invalid_request', message: expect.stringContaining('cannot be used') },
    });
  });

  it.each([{ access_token: 'a\u0000' }, { refresh_token: 'r\ud800' }, { scope: 'read wri\u0000te' }])(
    'with tokens that no text should hold gives none: %j',
    async (given) => {
      const answer = { access_token: 'a', refresh_token: 'r', token_type: 'Bearer', ...given };
      const { body } = await begin();
      const id = await connect();
      crooked.token = { status: 200, body: answer };
      expect(await comeBack(body)).toMatchObject({
        status: 400,
        body: { message: expect.stringContaining('cannot be used') },
      });
      await expire(id);
      expect(await under.team.open(id)).toMatchObject({ ok: false, obstacle: 'unavailable' });
      expect(await under.team.read(id)).toMatchObject({ status: 'active' });
    },
  );

  it.each([0.5, 1])('with tokens for %d seconds is left alone for a minute', async (seconds) => {
    const id = await connect();
    crooked.token = {
      status: 200,
      body: { access_token: 'short', refresh_token: 'r', token_type: 'Bearer', expires_in: seconds },
    };
    await under.database.query(`UPDATE connections.connection SET refresh_at = now() WHERE id = $1`, [id]);
    const [{ version }] = await refreshOf(id);
    const loop = under.running.app.get(RefreshLoop);
    const isLeftAlone = async () =>
      expect(await refreshOf(id)).toEqual([{ version: version + 1, rests: true }]);
    await loop.beginSome();
    await eventually(isLeftAlone);
    await loop.beginSome();
    await isLeftAlone();
    expect(await under.team.token(id)).toBe('short');
  });

  it.each([1e15, 1e300])('with a token for %d seconds has one that can be used', async (seconds) => {
    crooked.token = {
      status: 200,
      body: { access_token: 'long', refresh_token: 'r', token_type: 'Bearer', expires_in: seconds },
    };
    const id = await connect();
    expect(await under.team.token(id)).toBe('long');
  });
});
