import { appEntry, eventually, pauseProcess, startServiceProcess, type ServiceProcess } from '@aos/testing';
import { ConnectionsRepository } from '../../src/connections/connections.repository.js';
import { TokenRefresh } from '../../src/token-refresh/token-refresh.js';
import { startConnections, type ConnectionsUnderTest } from '../connections-under-test.js';

const leaseMs = 2_000;

describe('a process that stands still while it refreshes a token', () => {
  let under: ConnectionsUnderTest;
  let refresher: ServiceProcess;

  beforeAll(async () => {
    // The one in this process refreshes only when it is asked.
    under = await startConnections({
      environment: { OAUTH_REFRESH_EVERY_MS: '600000', OAUTH_REFRESH_LEASE_MS: String(leaseMs) },
    });
    refresher = await startServiceProcess(appEntry('connections'), {
      ...under.environment,
      OAUTH_REFRESH_EVERY_MS: '100',
    });
  });

  afterAll(async () => {
    refresher?.signal('SIGKILL');
    await refresher?.exited;
    await under?.stop();
  });

  const rowOf = async (id: string) =>
    (await under.running.app.get(ConnectionsRepository).find(under.team.teamId, id))!;
  const leaseHasEnded = (id: string) =>
    eventually(async () => {
      const rows = await under.database.query(
        'SELECT 1 FROM connections.connection WHERE id = $1 AND refresh_lease_until <= now()',
        [id],
      );
      expect(rows).toHaveLength(1);
    });

  /** The provider has been asked and has rotated the token; the process has not read its answer. */
  async function pauseDuringRefresh(id: string): Promise<() => void> {
    const granted = under.provider.granted.length;
    const paused = new Promise<() => void>((resolve) => {
      under.provider.onNextTokenRequest = () => resolve(pauseProcess(refresher.pid));
    });
    await under.database.query(
      `UPDATE connections.connection
          SET token_stale_at = now() - interval '1 second', refresh_at = now(),
              token_expires_at = now() + interval '1 hour', token_obtained_at = now() - interval '1 hour'
        WHERE id = $1`,
      [id],
    );
    const goOn = await paused;
    await eventually(() => expect(under.provider.granted.length).toBe(granted + 1));
    return goOn;
  }

  it('stores the new token if nobody else could refresh it', async () => {
    const { id } = await under.team.connect();
    const former = await rowOf(id);
    const goOn = await pauseDuringRefresh(id);
    const asked = under.provider.tokenRequests();
    expect(await rowOf(id)).toMatchObject({ credentials_version: former.credentials_version });
    goOn();
    await eventually(async () =>
      expect((await rowOf(id)).credentials_version).toBe(former.credentials_version + 1),
    );
    expect(under.provider.tokenRequests()).toBe(asked);
    expect(await under.provider.introspect(await under.team.token(id))).toBeDefined();
  });

  it('does not hide when it wakes that another has found the token lost', async () => {
    const { id } = await under.team.connect();
    const goOn = await pauseDuringRefresh(id);
    await leaseHasEnded(id);
    expect(await under.running.app.get(TokenRefresh).refresh(await rowOf(id))).toBe('broken');
    const { credentials_version: version, broken_at: brokenAt, broken_reason: reason } = await rowOf(id);
    expect(reason).toContain('lost');
    goOn();
    // It keeps what the provider gave it; the provider has withdrawn that.
    await eventually(async () => expect((await rowOf(id)).credentials_version).toBe(version + 1));
    expect(await rowOf(id)).toMatchObject({ status: 'broken', broken_at: brokenAt, broken_reason: reason });
    expect(await under.events(id)).toEqual([
      'connection.updated pending',
      'connection.updated active',
      'connection.action_required broken',
    ]);
    await under.team.connect({ reconnect_connection_id: id });
    expect(await under.provider.introspect(await under.team.token(id))).toBeDefined();
  });
});
