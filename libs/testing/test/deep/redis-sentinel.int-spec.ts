import { startService, type RunningService } from '@aos/service';
import {
  createTestDatabase,
  createWidget,
  describeWhere,
  eventually,
  fixtureConsumerService,
  fixtureService,
  onThePath,
  startTestClient,
  testConfig,
  testEnvironment,
  type TestClient,
  type TestDatabase,
} from '../../src/index.js';
import { callOperation, resultOf } from '../fixture-calls.js';
import {
  hasTls,
  masterName,
  name,
  sentinelPassword,
  startRedisFleet,
  user,
  type RedisFleet,
} from '../redis-servers.js';

const program = onThePath('redis-server') ?? onThePath('valkey-server');
const needed = {
  isThere: program !== undefined && (await hasTls(program)),
  missing: 'no redis-server or valkey-server with TLS on the PATH',
};

describeWhere(needed, 'a Redis that sentinels watch, with TLS, a user and passwords', () => {
  let fleet: RedisFleet;
  let database: TestDatabase;
  let services: RunningService[] = [];
  let client: TestClient;

  beforeAll(async () => {
    [fleet, database] = await Promise.all([
      startRedisFleet(program!),
      createTestDatabase([fixtureService, fixtureConsumerService]),
    ]);
    const environment = testEnvironment({
      DATABASE_URL: database.url,
      RPC_TIMEOUT_MS: '2000',
      // The host of the URL is not used: the sentinels tell.
      REDIS_URL: `rediss://${user.name}:${encodeURIComponent(user.password)}@${name}:1`,
      REDIS_TLS_CA: fleet.ca,
      REDIS_SENTINELS: `${name}:${fleet.sentinelPort}`,
      REDIS_SENTINEL_MASTER: masterName,
      REDIS_SENTINEL_PASSWORD: sentinelPassword,
      REDIS_SENTINEL_TLS: 'true',
    });
    const config = testConfig(environment);
    services = await Promise.all([
      startService(fixtureService, config),
      startService(fixtureConsumerService, config),
    ]);
    client = startTestClient(environment);
  });

  afterAll(async () => {
    client?.close();
    for (const service of services) await service.close();
    await fleet?.stop();
    await database?.drop();
  });

  const make = (widget: string) => resultOf(callOperation(client.services, createWidget, { name: widget }));

  it('is reached as the user, by every connection', async () => {
    expect(await make('before')).toBe(201);
    const redis = fleet.clientOf(await fleet.masterPort());
    const clients = ((await redis.call('CLIENT', 'LIST')) as string).split('\n');
    redis.disconnect();
    const ours = clients.filter((line) => line.includes(`name=${client.connections.settings.prefix}:`));
    expect(ours.length).toBeGreaterThan(3);
    expect(ours.filter((line) => !line.includes(`user=${user.name} `))).toEqual([]);
  });

  it('may lose its master: the services go on with the next, and no event is lost', async () => {
    const first = await fleet.masterPort();
    await fleet.killMaster();
    await eventually(async () => expect(await fleet.masterPort()).not.toBe(first), { timeoutMs: 30_000 });
    await eventually(async () => expect(await make('after')).toBe(201), { timeoutMs: 30_000 });
    await eventually(
      async () => {
        const made = await database.query('SELECT 1 FROM fixture.widget');
        const seen = await database.query('SELECT 1 FROM fixture_consumer.seen_widget');
        expect(seen).toHaveLength(made.length);
      },
      { timeoutMs: 30_000 },
    );
  });
});
