import { createDataSource, isStoreUnavailable } from '@aos/persistence';
import { migrateService, startService, type RunningService } from '@aos/service';
import {
  createTestDatabase,
  eventually,
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

  it('breaks nothing but the query for which it was opened', async () => {
    const settings = { url: proxy.url, schema: 'public', poolSize: 10, applicationName: 'opened' };
    const dataSource = createDataSource(settings, { entities: [], migrations: [] });
    await dataSource.initialize();
    try {
      const inUse = dataSource.query('SELECT pg_sleep(3)');
      proxy.delay(100);
      const asked = dataSource.query('SELECT 1').catch((error: unknown) => error);
      const opened = `FROM pg_stat_activity WHERE application_name = 'opened' AND state = 'idle' AND query = ''`;
      await eventually(async () => expect(await database.query(`SELECT 1 ${opened}`)).toHaveLength(1), {
        everyMs: 5,
      });
      // The client hears in one breath that its session is ready and that it was ended.
      proxy.lose('to the client');
      await database.query(`SELECT pg_terminate_backend(pid) ${opened}`);
      await eventually(async () => expect(await database.query(`SELECT 1 ${opened}`)).toEqual([]));
      proxy.heal();
      expect(isStoreUnavailable(await asked)).toBe(true);
      await inUse;
      expect(await dataSource.query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
    } finally {
      await dataSource.destroy();
    }
  });
});
