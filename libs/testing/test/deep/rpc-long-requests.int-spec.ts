import {
  createTestDatabase,
  eventually,
  fixtureEntries,
  fixtureService,
  inspect,
  startServiceProcess,
  startTestClient,
  testEnvironment,
  type ServiceProcess,
  type TestClient,
  type TestDatabase,
} from '../../src/index.js';

/** Longer than a test may take. */
const timeoutMs = 300_000;

describe('a request that may take minutes', () => {
  let database: TestDatabase;
  let environment: Record<string, string>;
  let service: ServiceProcess;
  let client: TestClient;

  beforeAll(async () => {
    database = await createTestDatabase([fixtureService]);
    environment = testEnvironment({ DATABASE_URL: database.url, LOG_LEVEL: 'debug' });
    service = await startServiceProcess(fixtureEntries.fixture, environment);
    client = startTestClient(environment, undefined, { maxSilenceMs: 9_000 });
  });

  afterAll(async () => {
    client?.close();
    service?.signal('SIGKILL');
    await service?.exited;
    await database?.drop();
  });

  it('is waited for as long as somebody is at it, though no answer comes', async () => {
    const answer = await client.services.call(inspect, { hold_ms: 12_000, text: 'a while' }, { timeoutMs });
    expect(answer).toMatchObject({ text: 'a while' });
  });

  it('is given up when the process that has it dies, and not at its deadline', async () => {
    const before = service.output().length;
    const answer = client.services.call(inspect, { hold_ms: 60_000 }, { timeoutMs });
    const outcome = expect(answer).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('has gone'),
    });
    await eventually(() => expect(service.output().slice(before)).toContain('"inspected"'));
    service.signal('SIGKILL');
    await outcome;
  });
});
