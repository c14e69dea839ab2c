import {
  createTestDatabase,
  createWidget,
  echo,
  eventually,
  fixtureConsumerService,
  fixtureEntries,
  fixtureService,
  startEmbedded,
  startServiceProcess,
  startTestClient,
  testEnvironment,
  type EmbeddedStores,
  type ServiceProcess,
  type TestClient,
  type TestDatabase,
} from '../../src/index.js';
import { callOperation, having, makeWidgets, resultOf, widgetsByName } from '../fixture-calls.js';
import { allSeenOnce } from '../seen-events.js';

/** A replica without Postgres leaves requests to others for a second before it refuses them. */
const deadlineMs = 4000;
/** How long a store stays away at least. */
const outageMs = 10_000;

describe('services while a store is away', () => {
  let stores: EmbeddedStores;
  let database: TestDatabase;
  let client: TestClient;
  let services: ServiceProcess[] = [];

  beforeAll(async () => {
    stores = await startEmbedded();
    database = await createTestDatabase([fixtureService, fixtureConsumerService], stores.databaseUrl);
    const environment = testEnvironment({
      DATABASE_URL: database.url,
      REDIS_URL: stores.redisUrl,
      RPC_TIMEOUT_MS: String(deadlineMs),
      JOB_LOCK_MS: '1000',
    });
    client = startTestClient(environment);
    services = await Promise.all([
      startServiceProcess(fixtureEntries.fixture, environment),
      startServiceProcess(fixtureEntries['fixture-consumer'], environment),
    ]);
  });

  afterAll(async () => {
    client?.close();
    for (const service of services) service.signal('SIGKILL');
    await Promise.all(services.map((service) => service.exited));
    await database?.drop();
    await stores?.stop();
  });

  /** Asks on and on for as long as the store is to be away. */
  const refuseAll = async (refusal: number | string) => {
    for (const end = Date.now() + outageMs; Date.now() < end;) {
      expect(await resultOf(callOperation(client.services, createWidget, { name: 'refused' }))).toBe(refusal);
    }
  };
  const load = (prefix: string, onDone?: (done: number) => void) =>
    makeWidgets(client.services, { count: 200, atOnce: 20, prefix, onDone });
  /** A request that is being served as Postgres goes may also take longer than its caller waits. */
  const refusedOrGivenUp = (outcomes: Awaited<ReturnType<typeof load>>) => {
    const kinds = new Set(outcomes.values());
    kinds.delete('unavailable');
    expect(kinds).toEqual(new Set([201, 503]));
  };
  /** What was answered was done once; what was refused was done once or not at all. */
  const checkEffects = async (outcomes: Awaited<ReturnType<typeof load>>) => {
    const rows = await widgetsByName(database);
    expect(having(outcomes, 201).filter((name) => rows.get(name) !== 1)).toEqual([]);
    expect([...outcomes.keys()].filter((name) => (rows.get(name) ?? 0) > 1)).toEqual([]);
  };
  /** Every loop goes on: requests, events and jobs. */
  const everythingWorks = async () => {
    await eventually(
      async () => {
        expect(await resultOf(callOperation(client.services, createWidget, { name: 'works again' }))).toBe(
          201,
        );
      },
      { timeoutMs: 30_000 },
    );
    await eventually(async () => {
      const [row] = await database.query(
        `SELECT 1 FROM fixture.widget WHERE name = 'works again' AND polished > 0`,
      );
      expect(row).toBeDefined();
    });
    const [count] = await database.query<{ count: number }>('SELECT count(*)::int FROM fixture.widget');
    await allSeenOnce(database, count!.count, { timeoutMs: 30_000 });
    expect(await whoHasEnded(services)).toEqual([]);
    expect(services.map((service) => service.output())).toEqual(['', '']);
    await database.query(`UPDATE fixture.widget SET name = 'checked' WHERE name = 'works again'`);
  };

  it('refuse while Postgres is away, and go on when it is back', async () => {
    const outcomes = await load('stopped', (done) => {
      if (done === 50) void stores.postgres.stop();
    });
    refusedOrGivenUp(outcomes);
    await refuseAll(503);
    await stores.postgres.start();
    await checkEffects(outcomes);
    await everythingWorks();
  });

  it('survive a Postgres that is killed and comes back under load', async () => {
    let restarted: Promise<void> | undefined;
    const outcomes = await load('crashed', (done) => {
      if (done === 50) restarted = stores.postgres.kill().then(() => stores.postgres.start());
    });
    await restarted;
    refusedOrGivenUp(outcomes);
    await checkEffects(outcomes);
    await everythingWorks();
  });

  it('survive a Redis that is killed and stays away, and go on when it is back', async () => {
    const outcomes = await load('unheard', (done) => {
      if (done === 50) void stores.redis.kill();
    });
    expect(new Set(outcomes.values())).toEqual(new Set([201, 'unavailable']));
    await refuseAll('unavailable');
    await stores.redis.start();
    await eventually(() => client.services.call(echo, {}), { timeoutMs: 30_000 });
    await checkEffects(outcomes);
    await everythingWorks();
  });

  it('end in order while Redis is away', async () => {
    await stores.redis.kill();
    for (const service of services) service.signal('SIGTERM');
    const ends = services.map(async (service) => [await service.exited, service.output()]);
    expect(await Promise.all(ends)).toEqual([
      [0, ''],
      [0, ''],
    ]);
  });
});

async function whoHasEnded(services: readonly ServiceProcess[]): Promise<number[]> {
  const states = await Promise.all(
    services.map(async ({ pid, exited }) => Promise.race([exited.then(() => pid), Promise.resolve(0)])),
  );
  return states.filter((pid) => pid !== 0);
}
