import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { findFreePort } from '@aos/local-infra';
import {
  createTestDatabase,
  eventually,
  fixtureEntries,
  fixtureService,
  forkService,
  startEmbedded,
  testEnvironment,
  type EmbeddedStores,
  type StartingProcess,
  type TestDatabase,
} from '../../src/index.js';

describe('a service that starts before its stores', () => {
  let stores: EmbeddedStores;
  let database: TestDatabase;
  let service: StartingProcess | undefined;
  let base: string;

  beforeAll(async () => {
    stores = await startEmbedded();
    database = await createTestDatabase([fixtureService], stores.databaseUrl);
  });

  afterEach(async () => {
    service?.signal('SIGKILL');
    await service?.exited;
  });

  afterAll(async () => {
    await database?.drop();
    await stores?.stop();
  });

  const start = async (changes: Record<string, string> = {}) => {
    const port = await findFreePort();
    base = `http://127.0.0.1:${port}`;
    const environment = testEnvironment({
      DATABASE_URL: database.url,
      REDIS_URL: stores.redisUrl,
      HEALTH_PORT: String(port),
      LOG_LEVEL: 'info',
      ...changes,
    });
    service = forkService(fixtureEntries.fixture, environment);
    return service;
  };
  /** The stores that it has said it waits for. */
  const waitedFor = ({ output }: StartingProcess) =>
    output()
      .split('\n')
      .filter((line) => line.includes('"waiting for a store"'))
      .map((line) => (JSON.parse(line) as { store: string }).store);
  const statusOf = async (path: string) => (await fetch(`${base}${path}`)).status;
  const changed = (url: string, change: (parts: URL) => void) => {
    const parts = new URL(url);
    change(parts);
    return parts.href;
  };

  it('waits for them, alive and not ready, says so once, and gets ready when they come', async () => {
    await Promise.all([stores.postgres.stop(), stores.redis.stop()]);
    const waiting = await start();
    await eventually(() => expect(waitedFor(waiting).sort()).toEqual(['postgres', 'redis']));
    expect(await statusOf('/healthz')).toBe(200);
    expect(await (await fetch(`${base}/readyz`)).json()).toEqual({
      ok: false,
      checks: { postgres: 'starting', redis: 'starting', tables: 'starting' },
    });
    await stores.postgres.start();
    await eventually(async () => {
      const { checks } = (await (await fetch(`${base}/readyz`)).json()) as { checks: object };
      expect(checks).toMatchObject({ postgres: 'ok', redis: 'starting' });
    });
    expect(await statusOf('/readyz')).toBe(503);
    await stores.redis.start();
    await waiting.ready();
    await eventually(async () => expect(await statusOf('/readyz')).toBe(200));
    expect(waitedFor(waiting)).toHaveLength(2);
  });

  it('ends at once when it is told to while it waits', async () => {
    await stores.redis.stop();
    try {
      const waiting = await start();
      await eventually(() => expect(waitedFor(waiting)).toEqual(['redis']));
      waiting.signal('SIGTERM');
      expect(await waiting.exited).toBe(0);
    } finally {
      await stores.redis.start();
    }
  });

  const refusedWith = async (changes: Record<string, string>, reason: RegExp) => {
    const refused = await start(changes);
    expect([await refused.exited, refused.output()]).toEqual([1, expect.stringMatching(reason)]);
    expect(waitedFor(refused)).toEqual([]);
  };

  it('does not wait for a database that will not have it, and says why', async () => {
    const wrong = changed(database.url, (url) => (url.password = 'another'));
    await refusedWith({ DATABASE_URL: wrong }, /password authentication failed/);
    const { host } = new URL(wrong);
    await refusedWith(
      { DATABASE_URL: wrong.replace(host, `${host},${host}`) },
      /password authentication failed/,
    );
    const unknown = changed(database.url, (url) => (url.pathname = '/nowhere'));
    await refusedWith({ DATABASE_URL: unknown }, /database \\"nowhere\\" does not exist/);
  });

  it('does not wait for a Redis that will not have it, and says why', async () => {
    const redis = await startRefusingRedis();
    try {
      await refusedWith({ REDIS_URL: redis.url }, /redis at .* cannot be used: NOAUTH/);
    } finally {
      redis.close();
    }
  });

  it('makes its tables in a process of their own once the database is there', async () => {
    await stores.postgres.stop();
    const environment = testEnvironment({ DATABASE_URL: database.url, LOG_LEVEL: 'info' });
    service = forkService(fixtureEntries.fixture, environment, { argv: ['migrate'] });
    const migrating = service;
    await eventually(() => expect(waitedFor(migrating)).toEqual(['postgres']));
    await stores.postgres.start();
    expect(await migrating.exited).toBe(0);
  });
});

/** Wants a password for whatever it is asked. */
async function startRefusingRedis(): Promise<{ url: string; close(): void }> {
  const server = createServer((socket) => {
    // Several commands can come in one piece; each begins with the number of its parts.
    const answerAll = (piece: Buffer) =>
      socket.write(
        '-NOAUTH Authentication required.\r\n'.repeat(piece.toString().match(/^\*\d/gm)?.length ?? 0),
      );
    socket.on('data', answerAll).on('error', () => undefined);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { url: `redis://127.0.0.1:${port}`, close: () => void server.close() };
}
