import { oauthCallback, startNativeOAuth } from '@aos/contracts';
import { Logger } from '@aos/platform';
import type { RunningService } from '@aos/service';
import { ConnectionsRepository } from '../src/connections/connections.repository.js';
import { FlowEnds } from '../src/oauth-flows/flow-ends.js';
import { TokenRefresh, type RefreshOutcome } from '../src/token-refresh/token-refresh.js';
import { startConnections, startReplica, type ConnectionsUnderTest } from './connections-under-test.js';
import {
  startCrookedAuthorizationServer,
  type CrookedAnswer,
  type CrookedAuthorizationServer,
} from './crooked-authorization-server.js';

const params = { provider: 'crooked' };

const refusal = (status: number, error: string): CrookedAnswer => ({ status, body: { error } });

describe('a provider’s client that the operator has configured', () => {
  let under: ConnectionsUnderTest;
  let crooked: CrookedAuthorizationServer;

  const providers = (more: object) => ({
    OAUTH_PROVIDERS: JSON.stringify({
      crooked: {
        authorization_endpoint: `${crooked.issuer}/authorize`,
        token_endpoint: `${crooked.issuer}/token`,
        client_id: 'operators-client',
        api_base_url: 'https://api.crooked.example',
        ...more,
      },
    }),
  });

  beforeAll(async () => {
    crooked = await startCrookedAuthorizationServer();
    under = await startConnections({
      environment: { OAUTH_REFRESH_EVERY_MS: '600000', ...providers({ client_secret: 'right' }) },
    });
  });

  afterEach(() => crooked.behave());

  afterAll(async () => {
    await under?.stop();
    await crooked?.close();
  });

  async function connect(): Promise<string> {
    const { state, connection_id: id } = await under.team.succeed(startNativeOAuth, { params });
    await under.team.succeed(oauthCallback, { query: { state, code: 'any' } });
    await expire(id);
    return id;
  }

  /** As if nothing had been tried yet. */
  async function expire(id: string): Promise<void> {
    await under.database.query(
      `UPDATE connections.connection
          SET token_stale_at = now() - interval '1 second', token_expires_at = now() - interval '1 second',
              refresh_failures = 0
        WHERE id = $1`,
      [id],
    );
  }

  /** As the replica does it that has this setting. */
  async function refresh(app: RunningService['app'], id: string): Promise<RefreshOutcome> {
    const row = await app.get(ConnectionsRepository).find(under.team.teamId, id);
    return app.get(TokenRefresh).refresh(row!);
  }

  async function expectPostponed(id: string): Promise<void> {
    expect(await under.team.read(id)).toMatchObject({ status: 'active', broken_at: null });
    const [row] = await under.database.query(
      `SELECT refresh_failures, refresh_lease_id, refresh_at > now() AS waits
         FROM connections.connection WHERE id = $1`,
      [id],
    );
    expect(row).toEqual({ refresh_failures: 1, refresh_lease_id: null, waits: true });
  }

  it.each([
    refusal(400, 'invalid_client'),
    refusal(401, 'invalid_client'),
    refusal(400, 'unauthorized_client'),
    // GitHub
    refusal(200, 'incorrect_client_credentials'),
    { status: 401, challenge: 'Basic realm="tokens"', body: '<html>Who are you?</html>' },
  ])('breaks nothing while it is refused, and all goes on once it is right: %j', async (answer) => {
    const id = await connect();
    const logged = import.meta.jest.spyOn(under.running.app.get(Logger), 'error').mockImplementation();
    crooked.token = answer;
    expect(await under.team.open(id)).toMatchObject({ ok: false, obstacle: 'unavailable' });
    await expectPostponed(id);
    expect(logged).toHaveBeenCalledWith(
      expect.objectContaining({ connection_id: id, provider: 'crooked' }),
      expect.any(String),
    );
    logged.mockRestore();
    crooked.behave();
    await expire(id);
    expect(await under.team.token(id)).toBe('access');
  });

  it('saves no consent that the provider refuses', async () => {
    const id = await connect();
    crooked.token = refusal(400, 'invalid_grant');
    expect(await under.team.open(id)).toMatchObject({ ok: false, obstacle: 'broken' });
    expect(await under.team.read(id)).toMatchObject({ status: 'broken' });
  });

  it('breaks nothing where the consent was given to another one, and all goes on once that is put back', async () => {
    const id = await connect();
    const { app, close } = await startReplica({
      ...under.environment,
      ...providers({ client_id: 'another-client', client_secret: 'another' }),
    });
    try {
      const logged = import.meta.jest.spyOn(app.get(Logger), 'error').mockImplementation();
      crooked.token = refusal(400, 'invalid_grant');
      expect(await refresh(app, id)).toBe('away');
      expect(crooked.clients.at(-1)).toBe('another-client:another');
      expect(logged).toHaveBeenCalledWith(
        expect.objectContaining({ connection_id: id, consented_client_id: 'operators-client' }),
        expect.stringContaining('not the one that was consented to'),
      );
    } finally {
      await close();
    }
    await expectPostponed(id);
    expect(await under.team.open(id)).toMatchObject({ ok: false, obstacle: 'unavailable' });
    crooked.behave();
    await expire(id);
    expect(await under.team.token(id)).toBe('access');
    expect(crooked.clients.at(-1)).toBe('operators-client:right');
  });

  it('breaks what was consented to another one after a day of tries, and says who can mend it', async () => {
    const id = await connect();
    await under.database.query('UPDATE connections.connection SET refresh_failures = 160 WHERE id = $1', [
      id,
    ]);
    const { app, close } = await startReplica({
      ...under.environment,
      ...providers({ client_id: 'another-client', client_secret: 'another' }),
    });
    try {
      // The new one is not known to the provider yet: nothing is said of the consent.
      import.meta.jest.spyOn(app.get(Logger), 'error').mockImplementation();
      crooked.token = refusal(401, 'invalid_client');
      expect(await refresh(app, id)).toBe('away');
      crooked.token = refusal(400, 'invalid_grant');
      expect(await refresh(app, id)).toBe('broken');
    } finally {
      await close();
    }
    expect(await under.team.read(id)).toMatchObject({
      status: 'broken',
      broken_reason: expect.stringContaining('replaced the client'),
    });
    expect((await under.events(id)).at(-1)).toBe('connection.action_required broken');
  });

  it('goes on with the new one where the provider lets it', async () => {
    const id = await connect();
    const { app, close } = await startReplica({
      ...under.environment,
      ...providers({ client_id: 'another-client', client_secret: 'another' }),
    });
    try {
      const row = (await app.get(ConnectionsRepository).find(under.team.teamId, id))!;
      expect(await app.get(TokenRefresh).refresh(row)).toBe('refreshed');
      const after = await app.get(ConnectionsRepository).find(under.team.teamId, id);
      expect(after!.oauth).toEqual({ ...row.oauth, client_id: 'another-client' });
    } finally {
      await close();
    }
  });

  it('is not configured without the secret that it had, and breaks nothing', async () => {
    const id = await connect();
    const { state } = await under.team.succeed(startNativeOAuth, { params });
    const { app, close } = await startReplica({ ...under.environment, ...providers({}) });
    try {
      const row = (await app.get(ConnectionsRepository).find(under.team.teamId, id))!;
      expect(await app.get(TokenRefresh).refresh(row)).toBe('away');
      await expect(app.get(FlowEnds).fromBrowser({ state, code: 'any' })).rejects.toMatchObject({
        code: 'not_configured',
      });
    } finally {
      await close();
    }
    await expectPostponed(id);
    await expire(id);
    expect(await under.team.token(id)).toBe('access');
  });
});
