import { startService, type RunningService } from '@aos/service';
import {
  createTestDatabase,
  describeWhere,
  eventually,
  fixtureConsumerService,
  fixtureService,
  getWidget,
  onThePath,
  startTestClient,
  testConfig,
  testEnvironment,
  type TestClient,
  type TestDatabase,
} from '../../src/index.js';
import { callOperation, having, makeWidgets, resultOf, widgetsByName } from '../fixture-calls.js';
import { startPgBouncer, type PgBouncer } from '../pgbouncer.js';

const program = onThePath('pgbouncer');
const needed = { isThere: program !== undefined, missing: 'no pgbouncer on the PATH' };
/** Fewer than the transactions that two services may have open at once, so that sessions are shared. */
const behindPooler = 2;
const count = 200;

describeWhere(needed, 'services behind PgBouncer in transaction mode', () => {
  let database: TestDatabase;
  let pooler: PgBouncer;
  let environment: Record<string, string>;
  let services: RunningService[] = [];
  let client: TestClient;

  beforeAll(async () => {
    // Nothing is migrated yet: the services do that, around the pooler.
    database = await createTestDatabase([]);
    pooler = await startPgBouncer(program!, database.url, behindPooler);
    environment = testEnvironment({
      DATABASE_URL: pooler.urlOf(database.url),
      DATABASE_DIRECT_URL: database.url,
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
    await pooler?.stop();
    await database?.drop();
  });

  async function sessionsBy(way: 'pooler' | 'direct'): Promise<number> {
    const rows = await database.query<{ name: string }>(
      `SELECT application_name AS name FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid() AND query LIKE $1`,
      [way === 'pooler' ? '%COMMIT%' : '%'],
    );
    return rows.length;
  }

  it('do each thing once, in the schema of their own, while they share sessions', async () => {
    let most = 0;
    const outcomes = await makeWidgets(client.services, {
      count,
      atOnce: 20,
      onDone: (done) => {
        if (done % 10 === 0) void sessionsBy('pooler').then((found) => (most = Math.max(most, found)));
      },
    });
    expect(having(outcomes, 201)).toHaveLength(count);
    const widgets = await widgetsByName(database);
    expect([widgets.size, new Set(widgets.values())]).toEqual([count, new Set([1])]);
    expect(most).toBeLessThanOrEqual(behindPooler);
    // Through the log of one service and the inbox of the other, whose tables have the same names.
    await eventually(
      async () => {
        const rows = await database.query('SELECT 1 FROM fixture_consumer.seen_widget');
        expect(rows).toHaveLength(count);
      },
      { timeoutMs: 20_000 },
    );
  });

  it('answer point reads by statements that are prepared, around the pooler', async () => {
    const [row] = await database.query<{ id: string }>('SELECT id FROM fixture.widget LIMIT 1');
    const reads = Array.from({ length: 100 }, () =>
      resultOf(callOperation(client.services, getWidget, {}, { params: { widgetId: row!.id } })),
    );
    expect(new Set(await Promise.all(reads))).toEqual(new Set([200]));
    // The reads of each of the two services have two connections of their own.
    expect(await sessionsBy('direct')).toBeGreaterThan(behindPooler);
  });

  it('do not start where the pooler is all that they know, and say what it does not take', async () => {
    const { DATABASE_DIRECT_URL: _, ...alone } = environment;
    const outcome = await startService(fixtureService, testConfig(alone)).then(
      async (service) => (await service.close(), 'it started'),
      (error: Error) => error.message,
    );
    expect(outcome).toMatch(/unsupported startup parameter/);
  });
});
