import { ping } from '@aos/contracts';
import { startService, type RunningService } from '@aos/service';
import {
  createTestDatabase,
  echo,
  eventually,
  fixtureService,
  startEmbedded,
  startTcpProxy,
  startTestClient,
  testConfig,
  testEnvironment,
  type EmbeddedStores,
  type TestClient,
  type TestDatabase,
} from '../../src/index.js';
import { having, makeWidgets, widgetsByName } from '../fixture-calls.js';

describe('requests while Redis fails', () => {
  let stores: EmbeddedStores;
  let database: TestDatabase;
  let environment: Record<string, string>;
  let service: RunningService;
  let client: TestClient;

  beforeAll(async () => {
    stores = await startEmbedded();
    database = await createTestDatabase([fixtureService], stores.databaseUrl);
  });

  afterAll(async () => {
    await database?.drop();
    await stores?.stop();
  });

  beforeEach(async () => {
    environment = testEnvironment({
      DATABASE_URL: database.url,
      REDIS_URL: stores.redisUrl,
      RPC_TIMEOUT_MS: '5000',
    });
    service = await startService(fixtureService, testConfig(environment));
    client = startTestClient(environment);
  });

  afterEach(async () => {
    client.close();
    await service.close();
  });

  it('makes the groups anew after FLUSHALL under load, and nothing waits past its deadline', async () => {
    let flushes = 0;
    const outcomes = await makeWidgets(client.services, {
      count: 600,
      atOnce: 20,
      prefix: 'flushed',
      onDone: (done) => {
        if (done % 200 !== 100) return;
        flushes += 1;
        void client.connections.shared.flushall();
      },
    });
    expect(flushes).toBe(3);
    const made = having(outcomes, 201);
    const lost = having(outcomes, 'unavailable');
    expect(made.length + lost.length).toBe(600);
    // At most what was on its way at each of the three moments.
    expect(lost.length).toBeLessThanOrEqual(3 * 20);
    const rows = await widgetsByName(database);
    expect(made.filter((name) => rows.get(name) !== 1)).toEqual([]);
    expect(lost.filter((name) => (rows.get(name) ?? 0) > 1)).toEqual([]);
    expect((await client.services.call(ping, {}, { service: 'fixture' })).service).toBe('fixture');
  });

  it('refuses at the deadline while Redis is away, and works again when it is back', async () => {
    await client.services.call(echo, {});
    await stores.redis.kill();
    const during = await makeWidgets(client.services, { count: 10, atOnce: 10, prefix: 'away' });
    expect(having(during, 'unavailable')).toHaveLength(10);
    await stores.redis.start();
    let asked = 0;
    await eventually(() => {
      asked += 1;
      return client.services.call(echo, {}, { timeoutMs: 1000 });
    });
    // Nothing was kept to be written when Redis is back but what is still waited for.
    const stream = client.connections.key('rpc', 'fixture');
    const info = (await client.connections.shared.xinfo('STREAM', stream)) as unknown[];
    expect(info[info.indexOf('entries-added') + 1]).toBeLessThanOrEqual(asked);

    const after = await makeWidgets(client.services, { count: 50, atOnce: 10, prefix: 'back' });
    expect(having(after, 201)).toHaveLength(50);
    const rows = await widgetsByName(database);
    expect([...during.keys()].filter((name) => rows.has(name))).toEqual([]);
  });

  it('passes on what was asked while Redis was away for less than the deadline', async () => {
    await client.services.call(echo, {});
    await stores.redis.kill();
    const call = client.services.call(echo, {}, { timeoutMs: 20_000 });
    await stores.redis.start();
    expect((await call).replica).toBeDefined();
  });

  it('does not send a request twice when the connection breaks before Redis has confirmed it', async () => {
    const proxy = await startTcpProxy(stores.redisUrl);
    const fragile = startTestClient({ ...environment, REDIS_URL: proxy.url });
    try {
      await fragile.services.call(echo, {});
      proxy.loseAnswerTo('cut0');
      const outcomes = await makeWidgets(fragile.services, { count: 1, atOnce: 1, prefix: 'cut' });
      expect(proxy.cuts).toBe(1);
      // The answer comes over another connection.
      expect([...outcomes.values()]).toEqual([201]);
      await fragile.services.call(echo, {});
      expect((await widgetsByName(database)).get('cut0')).toBe(1);
    } finally {
      fragile.close();
      await proxy.close();
    }
  });

  it('finds out that Redis has vanished without a word', async () => {
    const proxy = await startTcpProxy(stores.redisUrl);
    const distant = testEnvironment({ DATABASE_URL: database.url, REDIS_URL: proxy.url });
    const far = await startService(fixtureService, testConfig(distant));
    const caller = startTestClient(distant);
    try {
      await caller.services.call(echo, {});
      proxy.freeze();
      const cutOff = await caller.services
        .call(echo, {}, { timeoutMs: 500 })
        .catch((error: unknown) => error);
      expect(cutOff).toMatchObject({ code: 'unavailable' });
      const answer = await eventually(() => caller.services.call(echo, {}, { timeoutMs: 1000 }), {
        timeoutMs: 40_000,
      });
      expect(answer.replica).toBeDefined();
    } finally {
      caller.close();
      await far.close();
      await proxy.close();
    }
  });
});
