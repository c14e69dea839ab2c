import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Metrics } from '@aos/platform';
import { eventually } from '@aos/testing';
import { TokenRefresh } from '../src/token-refresh/token-refresh.js';
import { RefreshRepository } from '../src/token-refresh/refresh.repository.js';
import { ConnectionsRepository } from '../src/connections/connections.repository.js';
import { startConnections, type ConnectionsUnderTest } from './connections-under-test.js';

/** Tokens live for two seconds, and nobody looks for those that end but the test. */
const options = {
  server: { accessTokenSeconds: 2 },
  environment: { OAUTH_REFRESH_EVERY_MS: '600000' },
};

describe('the refresh of tokens', () => {
  let under: ConnectionsUnderTest;

  beforeAll(async () => {
    under = await startConnections(options);
  });

  afterEach(() => {
    under.provider.mood = 'answer';
  });

  afterAll(() => under?.stop());

  const refreshes = () => under.provider.granted.filter((type) => type === 'refresh_token').length;

  async function counted(outcome: string): Promise<number> {
    const text = await under.running.app.get(Metrics).text();
    const line = new RegExp(`^aos_token_refreshes_total\\{[^}]*outcome="${outcome}"[^}]*\\} (.+)$`, 'm');
    return Number(line.exec(text)?.[1] ?? 0);
  }

  /** As if so much of the token's life were over. */
  async function age(
    id: string | readonly string[],
    what: 'stale' | 'expired',
    { database } = under,
  ): Promise<void> {
    const expires = what === 'expired' ? '-1 second' : '1 hour';
    await database.query(
      `UPDATE connections.connection
          SET token_stale_at = now() - interval '1 second', refresh_at = now(),
              token_expires_at = now() + interval '${expires}', token_obtained_at = now() - interval '1 hour'
        WHERE id = ANY ($1)`,
      [[id].flat()],
    );
  }

  async function versionOf(id: string, { database } = under): Promise<number> {
    const [row] = await database.query<{ version: number }>(
      'SELECT credentials_version AS version FROM connections.connection WHERE id = $1',
      [id],
    );
    return row!.version;
  }

  it('comes on demand, with rotation: the next one works with the token that the last one gave', async () => {
    const { id } = await under.team.connect();
    const tokens = [await under.team.token(id)];
    for (let round = 0; round < 3; round += 1) {
      await age(id, 'expired');
      tokens.push(await under.team.token(id));
    }
    expect(new Set(tokens).size).toBe(4);
    expect(await under.provider.introspect(tokens.at(-1)!)).toBeDefined();
    // Nobody is told of what changes nothing.
    expect(await under.events(id)).toEqual(['connection.updated pending', 'connection.updated active']);
  });

  it('is done once by all workers that want it at the same time', async () => {
    const { id } = await under.team.connect();
    const other = await under.replica();
    await age(id, 'expired');
    const before = refreshes();
    const workers = [under.running, other].map(({ app }) => app.get(TokenRefresh));
    const row = (await under.running.app.get(ConnectionsRepository).find(under.team.teamId, id))!;
    const all = await Promise.all(Array.from({ length: 20 }, (_, index) => workers[index % 2]!.refresh(row)));
    expect(new Set(all)).toEqual(new Set(['refreshed']));
    expect(refreshes()).toBe(before + 1);
    await other.close();
  });

  it('breaks nothing while the provider is away, and goes on when it is back', async () => {
    const { id } = await under.team.connect();
    const token = await under.team.token(id);
    under.provider.mood = 'unavailable';
    await age(id, 'stale');
    // Still good.
    expect(await under.team.token(id)).toBe(token);
    await age(id, 'expired');
    expect(await under.team.open(id)).toMatchObject({ ok: false, obstacle: 'unavailable' });
    expect(await under.team.read(id)).toMatchObject({ status: 'active', broken_at: null });
    const asked = under.provider.tokenRequests();
    // It is left alone for a while.
    const [row] = await under.database.query<{ waits: boolean }>(
      'SELECT refresh_at > now() AS waits FROM connections.connection WHERE id = $1',
      [id],
    );
    expect(row).toEqual({ waits: true });
    expect(await under.team.open(id)).toMatchObject({ obstacle: 'unavailable' });
    const refused = await under.team.report(id, await versionOf(id), { kind: 'unauthorized' });
    expect(refused).toEqual({ retry: false });
    expect(under.provider.tokenRequests()).toBe(asked);
    under.provider.mood = 'answer';
    await age(id, 'expired');
    await under.database.query('UPDATE connections.connection SET refresh_failures = 0 WHERE id = $1', [id]);
    expect(await under.team.token(id)).not.toBe(token);
  });

  it('that is refused breaks the connection; a reconnect mends it, and it keeps its id', async () => {
    const { id } = await under.team.connect();
    await under.provider.revokeAll();
    await age(id, 'expired');
    expect(await under.team.open(id)).toMatchObject({ ok: false, obstacle: 'broken' });
    const broken = await under.team.read(id);
    expect(broken).toMatchObject({ status: 'broken', broken_at: expect.any(String) });
    expect(broken.broken_reason).toContain('invalid_grant');
    expect((await under.events(id)).at(-1)).toBe('connection.action_required broken');
    const mended = await under.team.connect({ reconnect_connection_id: id });
    expect(mended).toMatchObject({ id, status: 'active', broken_at: null, broken_reason: null });
    expect(await under.provider.introspect(await under.team.token(id))).toBeDefined();
    expect((await under.events(id)).at(-1)).toBe('connection.updated active');
  });

  it('is counted by what came of it', async () => {
    const outcomes = ['refreshed', 'away', 'broken'];
    const before = await Promise.all(outcomes.map(counted));
    const [{ id: good }, { id: bad }] = [await under.team.connect(), await under.team.connect()];
    await age(good, 'expired');
    await under.team.token(good);
    under.provider.mood = 'unavailable';
    await age(good, 'expired');
    await under.team.open(good);
    under.provider.mood = 'answer';
    await under.provider.revokeAll();
    await age(bad, 'expired');
    await under.team.open(bad);
    const after = await Promise.all(outcomes.map(counted));
    expect(after.map((count, index) => count - before[index]!)).toEqual([1, 1, 1]);
  });

  it('whose answer is lost is tried again; if the provider will not repeat it, people are told why', async () => {
    const { id } = await under.team.connect();
    await age(id, 'expired');
    const row = (await under.running.app.get(ConnectionsRepository).find(under.team.teamId, id))!;
    // A worker asks and dies before it can write: the provider has rotated the token.
    expect(await under.running.app.get(RefreshRepository).claim(row)).toBeDefined();
    under.provider.mood = 'lose';
    const lost = under.provider.granted.length;
    await refreshOutside(under, id);
    expect(under.provider.granted.length).toBe(lost + 1);
    under.provider.mood = 'answer';
    // Another takes over when the lease has run out.
    await under.database.query(
      `UPDATE connections.connection SET refresh_lease_until = now() - interval '1 second' WHERE id = $1`,
      [id],
    );
    const opened = await under.team.open(id);
    expect(opened).toMatchObject({ ok: false, obstacle: 'broken', message: expect.stringContaining('lost') });
  });

  it('comes by itself before a token ends', async () => {
    const alone = await startConnections();
    try {
      const { id } = await alone.team.connect();
      const first = await alone.team.token(id);
      const before = await versionOf(id, alone);
      for (const round of [1, 2]) {
        await age(id, 'stale', alone);
        // Nobody asks for it.
        await eventually(async () => expect(await versionOf(id, alone)).toBe(before + round));
      }
      expect(await alone.team.token(id)).not.toBe(first);
    } finally {
      await alone.stop();
    }
  });

  it('is not held up by a provider that does not answer, however many of its tokens are due', async () => {
    const [alone, silent] = await Promise.all([startConnections(), startSilentServer()]);
    try {
      const ids: string[] = [];
      while (ids.length < 20) ids.push((await alone.team.connect()).id);
      await alone.database.query(
        `UPDATE connections.connection
            SET oauth = jsonb_set(jsonb_set(oauth, '{server,issuer}', to_jsonb($1::text)),
                                  '{server,token_endpoint}', to_jsonb($1::text || '/token'))`,
        [silent.issuer],
      );
      const { id } = await alone.anotherTeam().connect();
      const before = await versionOf(id, alone);
      await age(ids, 'stale', alone);
      await eventually(() => expect(silent.waiting()).toBeGreaterThan(0));
      await age(id, 'stale', alone);
      const givenUpBefore = await eventually(async () => {
        const givenUp = silent.givenUp();
        expect(await versionOf(id, alone)).toBe(before + 1);
        return givenUp;
      });
      expect(givenUpBefore).toBe(0);
    } finally {
      await silent.close();
      await alone.stop();
    }
  });

  it('comes for each team in turn, however many are due longer in another', async () => {
    const { id: copied } = await under.team.connect();
    await under.database.query(
      `INSERT INTO connections.connection
       SELECT copy.* FROM connections.connection c CROSS JOIN generate_series(1, 40) AS n
        CROSS JOIN LATERAL jsonb_populate_record(c, jsonb_build_object(
          'id', gen_random_uuid(), 'name', 'Copy ' || n, 'refresh_at', now() - interval '1 hour')) AS copy
        WHERE c.id = $1`,
      [copied],
    );
    const { id } = await under.anotherTeam().connect();
    await age(id, 'stale');
    const first = await under.running.app.get(RefreshRepository).due(16);
    expect(first.map((row) => row.id)).toContain(id);
  });
});

/** The very request of a worker, whose answer nobody writes down. */
async function refreshOutside(under: ConnectionsUnderTest, id: string): Promise<void> {
  const { app } = under.running;
  const { OAuthCalls } = await import('../src/oauth-client/oauth-calls.js');
  const { OAuthSetups } = await import('../src/connections/oauth-setups.js');
  const { ConnectionSecrets } = await import('../src/connections/connection-secrets.js');
  const row = (await app.get(ConnectionsRepository).find(under.team.teamId, id))!;
  const { server, client } = app.get(OAuthSetups).of(row);
  const { refresh_token: token } = app.get(ConnectionSecrets).tokensOf(row)!;
  await app
    .get(OAuthCalls)
    .refresh(server, client, token!)
    .catch(() => undefined);
}

/** Takes requests and never answers. */
async function startSilentServer() {
  let asked = 0;
  let givenUp = 0;
  const server = createServer((request, response) => {
    asked += 1;
    request.resume();
    response.once('close', () => (givenUp += 1));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    issuer: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    waiting: () => asked - givenUp,
    givenUp: () => givenUp,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
