import pg from 'pg';
import {
  createTestDatabase,
  eventually,
  fixtureConsumerService,
  fixtureEntries,
  fixtureService,
  ofStorm,
  pauseProcess,
  startEmbedded,
  startServiceProcess,
  startTestClient,
  testEnvironment,
  type EmbeddedStores,
  type ServiceProcess,
  type TestClient,
  type TestDatabase,
} from '../../../src/index.js';
import { idleInTransaction, openTransaction } from '../../blocking-session.js';
import { countWidgets, having, makeWidgets, widgetsByName, type CallResult } from '../../fixture-calls.js';
import { allSeenOnce } from '../../seen-events.js';

/** The long one exceeds what a session may be idle in a transaction. */
const stopMs = ofStorm({ short: 8_000, long: 45_000 });
const underSnapshot = ofStorm({ short: 2_000, long: 60_000 });
const maxLagMs = 10_000;
const maxConnections = 60;

describe('services while sessions of Postgres stand in the way', () => {
  let stores: EmbeddedStores;
  let database: TestDatabase;
  let client: TestClient;
  let services: ServiceProcess[];

  beforeAll(async () => {
    stores = await startEmbedded({ max_connections: String(maxConnections) });
    database = await createTestDatabase([fixtureService, fixtureConsumerService], stores.databaseUrl);
    const environment = testEnvironment({
      DATABASE_URL: database.url,
      REDIS_URL: stores.redisUrl,
      RPC_TIMEOUT_MS: '3000',
    });
    client = startTestClient(environment);
    services = await Promise.all([
      startServiceProcess(fixtureEntries.fixture, environment),
      startServiceProcess(fixtureEntries.fixture, environment),
      startServiceProcess(fixtureEntries['fixture-consumer'], environment),
    ]);
  });

  afterAll(async () => {
    client?.close();
    for (const service of services ?? []) service.signal('SIGKILL');
    await Promise.all((services ?? []).map(({ exited }) => exited));
    await database?.drop();
    await stores?.stop();
  });

  const make = (prefix: string, count = 40, holdMs = 0) =>
    makeWidgets(client.services, { count, atOnce: 10, prefix, holdMs });
  const allMade = (prefix: string) =>
    eventually(async () => expect(having(await make(prefix), 201)).toHaveLength(40), { timeoutMs: 40_000 });
  const allSeen = async () => allSeenOnce(database, await countWidgets(database), { timeoutMs: 60_000 });

  it('refuse while Postgres takes no more sessions, and go on when it does', async () => {
    await allMade('before');
    const taken: pg.Client[] = [];
    const open = async () => {
      const session = new pg.Client({ connectionString: database.url });
      session.on('error', () => undefined);
      await session.connect();
      taken.push(session);
      return session;
    };
    const takeAll = async () => {
      let refusal: unknown;
      while (!refusal) await open().catch((error: unknown) => (refusal = error));
      expect(refusal).toMatchObject({ code: '53300' });
    };
    try {
      const operator = await open();
      await eventually(async () => {
        await operator.query(
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
            WHERE datname = current_database() AND application_name LIKE 'fixture%'`,
        );
        await takeAll();
        const refused = await make('refused', 20);
        expect(having(refused, 503).length + having(refused, 'unavailable').length).toBe(20);
      });
    } finally {
      await Promise.all(taken.map((session) => session.end()));
    }
    await allMade('after');
    await allSeen();
  });

  it(
    'go on beside a replica that stands still inside a transaction',
    async () => {
      const [stopped] = services;
      const held = make('held', 10, 3_000);
      await eventually(async () => expect(await idleInTransaction(database)).toBeGreaterThan(2));
      const goOn = pauseProcess(stopped!.pid);
      const beside = new Map<string, CallResult>();
      let last = new Map<string, CallResult>();
      for (let round = 0, end = performance.now() + stopMs; performance.now() < end; round += 1) {
        last = await make(`beside${round}-`, 10);
        for (const [name, outcome] of last) beside.set(name, outcome);
      }
      // It was given some more before it was seen that it takes nothing.
      expect(having(last, 201)).toHaveLength(10);
      goOn();
      await allMade('awake');
      const outcomes = new Map([...(await held), ...beside]);
      expect([201, 503, 'unavailable']).toEqual(expect.arrayContaining([...new Set(outcomes.values())]));
      const rows = await widgetsByName(database);
      expect(having(outcomes, 201).filter((name) => rows.get(name) !== 1)).toEqual([]);
      expect([...outcomes.keys()].filter((name) => (rows.get(name) ?? 0) > 1)).toEqual([]);
      await allSeen();
    },
    stopMs + 120_000,
  );

  it(
    'are not held up by a snapshot that stays open under load',
    async () => {
      const snapshot = await openTransaction(database);
      await snapshot.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ');
      await snapshot.query('SELECT count(*) FROM fixture.widget');
      let seenLagMs = 0;
      try {
        for (let made = 0; made < underSnapshot; made += 500) {
          const outcomes = await make(`snapshot${made}-`, 500);
          expect(having(outcomes, 201)).toHaveLength(500);
          const done = performance.now();
          await allSeen();
          seenLagMs = Math.max(seenLagMs, performance.now() - done);
        }
      } finally {
        await snapshot.rollback();
      }
      expect(seenLagMs).toBeLessThan(maxLagMs);
    },
    underSnapshot * 20 + 120_000,
  );
});
