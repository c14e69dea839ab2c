import { AppError, ping } from '@aos/contracts';
import { InProcessServices } from '@aos/messaging';
import { Transactions } from '@aos/persistence';
import { newTraceparent, runWithContext } from '@aos/platform';
import { startService, type RunningService } from '@aos/service';
import {
  createTestDatabase,
  createWidget,
  echo,
  eventually,
  fixtureService,
  inspect,
  startRedisMonitor,
  startTestClient,
  testConfig,
  testEnvironment,
  type TestClient,
  type TestDatabase,
} from '../src/index.js';
import { callOperation, countWidgets } from './fixture-calls.js';

const inFlight = 4;

describe('requests between services of one process', () => {
  let database: TestDatabase;
  let environment: Record<string, string>;
  let neighbours: InProcessServices;
  let service: RunningService;
  let client: TestClient;
  let stream: string;

  beforeAll(async () => {
    database = await createTestDatabase([fixtureService]);
    environment = testEnvironment({ DATABASE_URL: database.url, RPC_MAX_IN_FLIGHT: String(inFlight) });
    neighbours = new InProcessServices();
    service = await startService(fixtureService, testConfig(environment), { neighbours });
    client = startTestClient(environment, neighbours);
    stream = client.connections.key('rpc', 'fixture');
  });

  afterAll(async () => {
    client?.close();
    await service?.close();
    await database?.drop();
  });

  it('do not cross Redis', async () => {
    const monitor = await startRedisMonitor(environment['REDIS_URL']!);
    try {
      expect((await client.services.call(ping, {}, { service: 'fixture' })).service).toBe('fixture');
      expect((await callOperation(client.services, createWidget, {})).status).toBe(201);
      // One that must go there shows that the monitor sees it.
      const elsewhere = startTestClient(environment);
      await elsewhere.services.call(ping, {}, { service: 'fixture' });
      elsewhere.close();
      const written = () =>
        monitor.commands.filter((words) => words.includes(stream) && /xadd/i.test(words[0]!));
      await eventually(() => expect(written()).toHaveLength(1));
    } finally {
      monitor.stop();
    }
  });

  it('bring errors, and nothing of a fault that nobody foresaw', async () => {
    const refusal = await client.services.call(echo, { fail: true }).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(AppError);
    expect(refusal).toMatchObject({ code: 'limit_reached', message: 'No more echoes.' });
    await expect(callOperation(client.services, createWidget, { fail: 'crash' })).rejects.toMatchObject({
      code: 'internal_error',
      message: 'The service failed to answer.',
    });
  });

  it('bring request id and trace to the handler', async () => {
    const traceparent = newTraceparent();
    const context = { requestId: 'my-request', traceparent };
    const seen = await runWithContext(context, () => client.services.call(inspect, { text: 'ü\u2028' }));
    expect(seen).toMatchObject({ request_id: 'my-request', text: 'ü\u2028' });
    expect(seen.traceparent!.split('-')[1]).toBe(traceparent.split('-')[1]);
  });

  it('share no object: what the caller changes afterwards is not seen', async () => {
    const request = { text: 'before', hold_ms: 50 };
    const answer = client.services.call(inspect, request);
    request.text = 'after';
    expect((await answer).text).toBe('before');
  });

  it('are checked as those from elsewhere are', async () => {
    const wrong = { service: 'fixture', name: 'fixture.echo', payload: [1, 2] };
    await expect(client.rpc.request(wrong)).rejects.toMatchObject({ code: 'internal_error' });
    await expect(client.rpc.request({ ...wrong, name: 'constructor' })).rejects.toMatchObject({
      code: 'internal_error',
    });
  });

  it('are not more at once than the service may take, and are all answered', async () => {
    const calls = Array.from({ length: 8 * inFlight }, () => client.services.call(inspect, { hold_ms: 20 }));
    const answers = await Promise.all(calls);
    expect(Math.max(...answers.map(({ in_hand }) => in_hand))).toBe(inFlight);
    await eventually(async () => expect(await client.connections.shared.xlen(stream)).toBe(0));
  });

  it('have a deadline, and end when the caller gives up', async () => {
    const late = client.services.call(echo, { hold_ms: 500 }, { timeoutMs: 50 });
    await expect(late).rejects.toMatchObject({ code: 'unavailable' });
    const giveUp = new AbortController();
    const left = client.services.call(echo, { hold_ms: 500 }, { signal: giveUp.signal });
    giveUp.abort();
    await expect(left).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('are no part of a transaction that the caller has open', async () => {
    const before = await countWidgets(database);
    const transactions = service.app.get(Transactions, { strict: false });
    const undone = transactions.run(async () => {
      expect((await callOperation(client.services, createWidget, {})).status).toBe(201);
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    expect(await countWidgets(database)).toBe(before + 1);
  });

  it('wait in Redis for another replica when this one ends, and what it has in hand is answered', async () => {
    const own = new InProcessServices();
    const leaving = await startService(fixtureService, testConfig(environment), { neighbours: own });
    const caller = startTestClient(environment, own);
    const inHand = caller.services.call(echo, { hold_ms: 300 });
    const closed = leaving.close();
    // The one that was started first takes it.
    expect((await caller.services.call(ping, {}, { service: 'fixture' })).service).toBe('fixture');
    await inHand;
    await closed;
    caller.close();
  });
});
