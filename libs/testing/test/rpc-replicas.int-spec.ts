import {
  createTestDatabase,
  echo,
  eventually,
  fixtureEntries,
  fixtureService,
  startServiceProcess,
  startTestClient,
  testEnvironment,
  type ServiceProcess,
  type TestClient,
  type TestDatabase,
} from '../src/index.js';
import { having, makeWidgets, widgetsByName } from './fixture-calls.js';

describe('replicas of a service', () => {
  let database: TestDatabase;
  let environment: Record<string, string>;
  let client: TestClient;
  let replicas: ServiceProcess[] = [];

  beforeAll(async () => {
    database = await createTestDatabase([fixtureService]);
  });

  afterAll(async () => {
    await database?.drop();
  });

  beforeEach(() => {
    environment = testEnvironment({ DATABASE_URL: database.url, RPC_TIMEOUT_MS: '4000' });
    client = startTestClient(environment);
  });

  afterEach(async () => {
    for (const replica of replicas) replica.signal('SIGKILL');
    await Promise.all(replicas.map((replica) => replica.exited));
    replicas = [];
    client.close();
  });

  const start = async (count: number) => {
    const started = Array.from({ length: count }, () =>
      startServiceProcess(fixtureEntries.fixture, environment),
    );
    replicas = await Promise.all(started);
    return replicas;
  };

  const requestsInRedis = () => client.connections.shared.xlen(client.connections.key('rpc', 'fixture'));

  it('share the requests, and each is handled once', async () => {
    await start(2);
    const answers = await Promise.all(
      Array.from({ length: 100 }, () => client.services.call(echo, { hold_ms: 5 })),
    );
    expect(new Set(answers.map(({ replica }) => replica)).size).toBe(2);

    const outcomes = await makeWidgets(client.services, { count: 200, atOnce: 20, prefix: 'shared' });
    expect(having(outcomes, 201)).toHaveLength(200);
    const made = await widgetsByName(database);
    expect([...outcomes.keys()].map((name) => made.get(name))).toEqual(Array(200).fill(1));
    await eventually(async () => expect(await requestsInRedis()).toBe(0));
  });

  it('lose only what was in hand when one is killed, and leave nothing behind', async () => {
    const [victim] = await start(3);
    const atOnce = 30;
    const outcomes = await makeWidgets(client.services, {
      count: 400,
      atOnce,
      prefix: 'killed',
      holdMs: 50,
      onDone: (done) => {
        if (done === 100) victim!.signal('SIGKILL');
      },
    });
    const made = having(outcomes, 201);
    const lost = having(outcomes, 'unavailable');
    expect(made.length + lost.length).toBe(400);
    expect(lost.length).toBeGreaterThan(0);
    expect(lost.length).toBeLessThan(atOnce);

    const rows = await widgetsByName(database);
    expect(made.filter((name) => rows.get(name) !== 1)).toEqual([]);
    // Committed without an answer, or never; but not by another replica as well.
    expect(lost.filter((name) => (rows.get(name) ?? 0) > 1)).toEqual([]);
    // The callers took back what the dead replica had in hand.
    await eventually(async () => expect(await requestsInRedis()).toBe(0));
  });

  it('remove what a dead replica had in hand when its caller died too, and nothing younger', async () => {
    const { shared } = client.connections;
    const stream = client.connections.key('rpc', 'fixture');
    await shared.xgroup('CREATE', stream, 'replicas', '0', 'MKSTREAM');
    await shared.xadd(stream, '1-1', 'h', '{}', 'b', '{}');
    const young = await shared.xadd(stream, '*', 'h', '{}', 'b', '{}');
    const taken = await shared.xreadgroup(
      'GROUP',
      'replicas',
      'dead',
      'COUNT',
      10,
      'NOACK',
      'STREAMS',
      stream,
      '>',
    );
    expect((taken as [string, unknown[]][])[0]![1]).toHaveLength(2);

    await start(1);
    await client.services.call(echo, {});
    await eventually(async () => {
      const left = await shared.xrange(stream, '-', '+');
      expect(left.map(([id]) => id)).toEqual([young]);
    });
  });

  it('answer everything in hand when they are told to end', async () => {
    const [, leaver] = await start(2);
    const calls = Array.from({ length: 100 }, () => client.services.call(echo, { hold_ms: 500 }));
    // All are in somebody's hand.
    await eventually(async () => {
      const [group] = (await client.connections.shared.xinfo(
        'GROUPS',
        client.connections.key('rpc', 'fixture'),
      )) as unknown[][];
      expect(group![group!.indexOf('entries-read') + 1]).toBe(100);
    });
    leaver!.signal('SIGTERM');
    const answers = await Promise.all(calls);
    expect(new Set(answers.map(({ replica }) => replica)).size).toBe(2);
    expect(await leaver!.exited).toBe(0);

    // The other one goes on alone.
    const after = await Promise.all(Array.from({ length: 20 }, () => client.services.call(echo, {})));
    expect(new Set(after.map(({ replica }) => replica)).size).toBe(1);
  });
});
