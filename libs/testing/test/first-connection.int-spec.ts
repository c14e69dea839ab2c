import { migrateService, startService, type RunningService } from '@aos/service-host';
import {
  createTestDatabase,
  fixtureService,
  startTcpProxy,
  testConfig,
  type TcpProxy,
  type TestDatabase,
} from '../src/index.js';

describe('a connection that breaks while a service starts', () => {
  let database: TestDatabase;
  let proxy: TcpProxy;
  let service: RunningService | undefined;

  beforeEach(async () => {
    database = await createTestDatabase([]);
    proxy = await startTcpProxy(database.url);
  });

  afterEach(async () => {
    await service?.close();
    service = undefined;
    await proxy?.close();
    await database?.drop();
  });

  // What a connection says when it opens: the one that holds the lock of migrations, and the one that migrates.
  it.each(['-migrate', 'search_path'])('is made again by migrations: %s', async (greeting) => {
    proxy.loseAnswerTo(greeting);
    const made = await migrateService(fixtureService, testConfig({ DATABASE_URL: proxy.url }));
    expect(proxy.cuts).toBe(1);
    expect(made).not.toEqual([]);
  });

  it('is made again by the service', async () => {
    await migrateService(fixtureService, testConfig({ DATABASE_URL: database.url }));
    proxy.loseAnswerTo('search_path');
    service = await startService(
      fixtureService,
      testConfig({ DATABASE_URL: proxy.url, MIGRATE_ON_START: 'false' }),
    );
    expect(proxy.cuts).toBe(1);
  });

  it('is given up where Postgres stays away', async () => {
    proxy.refuse();
    await expect(migrateService(fixtureService, testConfig({ DATABASE_URL: proxy.url }))).rejects.toThrow();
    expect(proxy.refused).toBe(5);
  });
});
