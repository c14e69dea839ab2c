import { AppError, ping } from '@aos/contracts';
import { ServiceClient } from '@aos/messaging';
import type { RunningService } from '@aos/service-host';
import { startService } from '@aos/service-host';
import {
  createTestDatabase,
  createWidget,
  echo,
  eventually,
  fixtureEntries,
  fixtureService,
  startServiceProcess,
  testConfig,
  testEnvironment,
  type ServiceProcess,
  type TestDatabase,
} from '../src/index.js';

const principal = {
  kind: 'api_key',
  credentialId: '01900000-0000-7000-8000-000000000001',
  teamId: '01900000-0000-7000-8000-000000000002',
  scopes: ['*'],
} as const;

describe('requests between services', () => {
  let database: TestDatabase;
  let environment: Record<string, string>;
  let local: RunningService;
  let client: ServiceClient;

  beforeAll(async () => {
    database = await createTestDatabase([fixtureService]);
    environment = testEnvironment({ DATABASE_URL: database.url, RPC_TIMEOUT_MS: '4000' });
    local = await startService(fixtureService, testConfig(environment));
    client = local.app.get(ServiceClient);
  });

  afterAll(async () => {
    await local?.close();
    await database?.drop();
  });

  it('answers a ping with its name', async () => {
    const answer = await client.call(ping, {}, { service: 'fixture' });
    expect(answer.service).toBe('fixture');
  });

  it('carries an AppError with code and message', async () => {
    const refusal = await client.call(echo, { fail: true }).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(AppError);
    expect(refusal).toMatchObject({ code: 'limit_reached', message: 'No more echoes.' });
  });

  it('tells nothing of a fault that nobody foresaw', async () => {
    const refusal = await client
      .callOperation(createWidget, { principal, params: {}, query: {}, body: { fail: 'crash' } })
      .catch((error: unknown) => error);
    expect(refusal).toMatchObject({ code: 'internal_error', message: 'The service failed to answer.' });
  });

  it('gives up at the deadline when nobody listens', async () => {
    const refusal = await client.call(ping, {}, { service: 'nobody', timeoutMs: 300 }).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ code: 'unavailable' });
  });

  it('does not begin a request whose deadline has passed, and removes it', async () => {
    const before = await count(database);
    const late = await Promise.all(
      Array.from({ length: 300 }, () => client.call(echo, { hold_ms: 1500 }, { timeoutMs: 1000 }).catch(() => 'late')),
    );
    expect(late.every((answer) => answer === 'late')).toBe(true);
    const refusal = await client
      .callOperation(createWidget, { principal, params: {}, query: {}, body: {} })
      .catch((error: unknown) => error);
    expect(refusal).toMatchObject({ status: 201 });
    expect(await count(database)).toBe(before + 1);
  });

  describe('with replicas', () => {
    let replicas: ServiceProcess[] = [];

    afterEach(async () => {
      for (const replica of replicas) replica.signal('SIGKILL');
      await Promise.all(replicas.map((replica) => replica.exited));
      replicas = [];
    });

    it('shares requests, each handled once, and a kill -9 fails only what was in hand', async () => {
      replicas = await Promise.all([1, 2].map(() => startServiceProcess(fixtureEntries.fixture, environment)));
      const before = await count(database);
      const first = await Promise.all(Array.from({ length: 200 }, () => client.call(echo, { hold_ms: 5 })));
      expect(new Set(first.map(({ replica }) => replica)).size).toBe(3);

      let killed = false;
      const attempts = Array.from({ length: 400 }, async (_, index) => {
        await new Promise((resolve) => setTimeout(resolve, index * 3));
        if (index === 100 && !killed) {
          killed = true;
          replicas[0]!.signal('SIGKILL');
        }
        const envelope = { principal, params: {}, query: {}, body: { name: `w${index}`, hold_ms: 20 } };
        return client.callOperation(createWidget, envelope).then(
          ({ status }) => status,
          (error: AppError) => error.code,
        );
      });
      const outcomes = await Promise.all(attempts);
      const made = outcomes.filter((outcome) => outcome === 201).length;
      const lost = outcomes.filter((outcome) => outcome === 'unavailable').length;
      expect(made + lost).toBe(400);
      expect(made).toBeGreaterThan(300);
      // What the dead replica had committed without an answer counts among the lost.
      const rows = (await count(database)) - before;
      expect(rows).toBeGreaterThanOrEqual(made);
      expect(rows).toBeLessThanOrEqual(made + lost);
    });

    it('drains at shutdown: every request in hand is answered', async () => {
      replicas = [await startServiceProcess(fixtureEntries.fixture, environment)];
      const pending = Array.from({ length: 100 }, () => client.call(echo, { hold_ms: 300 }));
      await new Promise((resolve) => setTimeout(resolve, 100));
      replicas[0]!.signal('SIGTERM');
      const answers = await Promise.all(pending);
      expect(answers).toHaveLength(100);
      expect(await replicas[0]!.exited).toBe(0);
    });
  });

  it('leaves no request behind in Redis', async () => {
    const { RedisConnections } = await import('@aos/messaging');
    const connections = local.app.get(RedisConnections);
    await eventually(async () => {
      expect(await connections.shared.xlen(connections.key('rpc', 'fixture'))).toBeLessThanOrEqual(60);
    });
  });
});

async function count(database: TestDatabase): Promise<number> {
  const [row] = await database.query<{ count: string }>('SELECT count(*) FROM fixture.widget');
  return Number(row!.count);
}
