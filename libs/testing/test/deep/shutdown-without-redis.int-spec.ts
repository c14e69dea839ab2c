import { Redis } from 'ioredis';
import {
  createTestDatabase,
  eventually,
  fixtureEntries,
  fixtureService,
  startEmbedded,
  startServiceProcess,
  startTcpProxy,
  testEnvironment,
  type EmbeddedStores,
  type ServiceProcess,
  type TcpProxy,
  type TestDatabase,
} from '../../src/index.js';

describe('a service that is told to end while Redis goes away', () => {
  let stores: EmbeddedStores;
  let database: TestDatabase;
  let redis: Redis;
  let proxy: TcpProxy;
  let service: ServiceProcess;

  beforeAll(async () => {
    stores = await startEmbedded();
    redis = new Redis(stores.redisUrl);
    database = await createTestDatabase([fixtureService], stores.databaseUrl);
  });

  afterAll(async () => {
    redis?.disconnect();
    await database?.drop();
    await stores?.stop();
  });

  beforeEach(async () => {
    proxy = await startTcpProxy(stores.redisUrl);
    const environment = testEnvironment({
      DATABASE_URL: database.url,
      REDIS_URL: proxy.url,
      LOG_LEVEL: 'info',
    });
    service = await startServiceProcess(fixtureEntries.fixture, environment);
  });

  afterEach(async () => {
    service.signal('SIGKILL');
    await service.exited;
    await proxy.close();
  });

  const endsInOrder = async () => {
    service.signal('SIGTERM');
    await eventually(() => expect(service.output()).toContain('shutting down'));
    await proxy.close();
    expect([await service.exited, service.output()]).toEqual([0, expect.stringContaining('"clean":true')]);
  };

  it('ends in order if it was silent before', async () => {
    proxy.freeze();
    await endsInOrder();
  });

  it('ends in order if the workers that wait for jobs have noticed it first', async () => {
    const waiting = await eventually(async () => {
      const clients = (await redis.client('LIST')) as string;
      const blocked = clients.split('\n').filter((client) => client.includes(' cmd=bzpopmin '));
      expect(blocked).not.toEqual([]);
      return blocked;
    });
    proxy.refuse();
    for (const client of waiting) await redis.client('KILL', 'ID', /\bid=(\d+)/.exec(client)![1]!);
    await eventually(() => expect(proxy.refused).toBeGreaterThan(0));
    await endsInOrder();
  });
});
