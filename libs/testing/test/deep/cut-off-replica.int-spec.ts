import {
  createTestDatabase,
  fixtureEntries,
  fixtureService,
  startServiceProcess,
  startTcpProxy,
  startTestClient,
  testEnvironment,
  type ServiceProcess,
  type TcpProxy,
  type TestClient,
  type TestDatabase,
} from '../../src/index.js';
import { having, makeWidgets } from '../fixture-calls.js';

const count = 200;

describe('one of two replicas that is cut off from Postgres', () => {
  let database: TestDatabase;
  let proxy: TcpProxy;
  let client: TestClient;
  let replicas: ServiceProcess[];

  beforeAll(async () => {
    database = await createTestDatabase([fixtureService]);
  });

  afterAll(() => database?.drop());

  beforeEach(async () => {
    proxy = await startTcpProxy(database.url);
    const environment = testEnvironment({ DATABASE_URL: database.url });
    client = startTestClient(environment);
    const replicaWith = (url: string) =>
      startServiceProcess(fixtureEntries.fixture, { ...environment, DATABASE_URL: url });
    replicas = await Promise.all([replicaWith(database.url), replicaWith(proxy.url)]);
    await makeWidgets(client.services, { count: 20, atOnce: 5, prefix: proxy.url });
  });

  afterEach(async () => {
    for (const replica of replicas) replica.signal('SIGKILL');
    await Promise.all(replicas.map((replica) => replica.exited));
    client.close();
    await proxy.close();
  });

  it.each([
    [
      'refused',
      () => {
        proxy.refuse();
        proxy.cut();
      },
    ],
    ['silent', () => proxy.vanish()],
  ])('leaves requests to the other: connections are %s', async (name, cutOff) => {
    cutOff();
    const outcomes = await makeWidgets(client.services, { count, atOnce: 5, prefix: name });
    expect(having(outcomes, 201).length).toBeGreaterThanOrEqual(0.95 * count);
    const kinds = new Set(outcomes.values());
    expect([201, 503, 'unavailable']).toEqual(expect.arrayContaining([...kinds]));
  });
});
