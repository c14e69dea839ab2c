import { AppError, ping, type OperationAnswer } from '@aos/contracts';
import { newTraceparent, runWithContext } from '@aos/platform';
import { startService, type RunningService } from '@aos/service';
import {
  createTestDatabase,
  createWidget,
  echo,
  eventually,
  fixtureEntries,
  fixtureService,
  inspect,
  startServiceProcess,
  startTestClient,
  tallyWidgets,
  testConfig,
  testEnvironment,
  waitingSessions,
  type TestClient,
  type TestDatabase,
} from '../src/index.js';
import { openTransaction } from './blocking-session.js';
import { callOperation, countWidgets, principal } from './fixture-calls.js';

const inFlight = 4;

/** An answer that is a refusal, as the error that it tells. */
function refusalOf({ body, retryAfterSeconds }: OperationAnswer): object {
  return { code: (JSON.parse(body) as { error: string }).error, options: { retryAfterSeconds } };
}

describe('requests between services', () => {
  let database: TestDatabase;
  let environment: Record<string, string>;
  let service: RunningService;
  let client: TestClient;
  let stream: string;

  beforeAll(async () => {
    database = await createTestDatabase([fixtureService]);
    environment = testEnvironment({ DATABASE_URL: database.url, RPC_MAX_IN_FLIGHT: String(inFlight) });
    service = await startService(fixtureService, testConfig(environment));
    client = startTestClient(environment);
    stream = client.connections.key('rpc', 'fixture');
  });

  afterAll(async () => {
    client?.close();
    await service?.close();
    await database?.drop();
  });

  /** Nothing of a test may lie in Redis when it is over. */
  afterEach(async () => {
    await eventually(async () => expect(await client.connections.shared.xlen(stream)).toBe(0));
  });

  it('answers a ping with its name', async () => {
    const answer = await client.services.call(ping, {}, { service: 'fixture' });
    expect(answer.service).toBe('fixture');
  });

  it('carries an AppError with code and message', async () => {
    const refusal = await client.services.call(echo, { fail: true }).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(AppError);
    expect(refusal).toMatchObject({ code: 'limit_reached', message: 'No more echoes.' });
  });

  it('tells nothing of a fault that nobody foresaw', async () => {
    const call = callOperation(client.services, createWidget, { fail: 'crash' });
    const refusal = await call.catch((error: unknown) => error);
    expect(refusal).toMatchObject({ code: 'internal_error', message: 'The service failed to answer.' });
  });

  it.each([
    ['gives up a statement that takes too long', 'pg_cancel_backend'],
    ['goes away', 'pg_terminate_backend'],
  ])('tells who asks to come again when Postgres %s', async (_, end) => {
    const blocking = await openTransaction(database);
    await blocking.query('LOCK TABLE fixture.widget');
    const outcomes = Promise.all([
      client.services.call(tallyWidgets, {}).catch((error: AppError) => error),
      callOperation(client.services, createWidget, {}).then(refusalOf, (error: AppError) => error),
    ]);
    await eventually(async () => expect(await waitingSessions(database)).toBe(2));
    await database.query(
      `SELECT ${end}(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    const refused = { code: 'unavailable', options: { retryAfterSeconds: 1 } };
    expect(await outcomes).toMatchObject([refused, refused]);
    await blocking.rollback();
    expect((await client.services.call(tallyWidgets, {})).widgets).toBe(await countWidgets(database));
  });

  it('carries a megabyte there and back, with every kind of character', async () => {
    const text = `"\\\n\u0000\u2028 ü €😀 ${'0123456789abcdef'.repeat(65_536)}`;
    expect((await client.services.call(inspect, { text })).text).toBe(text);
  });

  it('brings request id and trace to the handler', async () => {
    const traceparent = newTraceparent();
    const context = { requestId: 'my-request', traceparent };
    const seen = await runWithContext(context, () => client.services.call(inspect, {}));
    expect(seen.request_id).toBe('my-request');
    const [, trace, span] = seen.traceparent!.split('-');
    const [, sentTrace, sentSpan] = traceparent.split('-');
    expect(trace).toBe(sentTrace);
    expect(span).not.toBe(sentSpan);
  });

  it('takes no more requests at once than it may, and answers all', async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 * inFlight }, () => client.services.call(inspect, { hold_ms: 20 })),
    );
    expect(answers).toHaveLength(8 * inFlight);
    expect(Math.max(...answers.map(({ in_hand }) => in_hand))).toBe(inFlight);
  });

  it('gives up at the deadline when nobody listens, and takes the request back', async () => {
    const call = client.services.call(ping, {}, { service: 'nobody', timeoutMs: 300 });
    expect(await call.catch((error: unknown) => error)).toMatchObject({ code: 'unavailable' });
    const { shared } = client.connections;
    await eventually(async () => expect(await shared.xlen(client.connections.key('rpc', 'nobody'))).toBe(0));
  });

  it('gives up when the caller does', async () => {
    const giveUp = new AbortController();
    const call = client.services.call(ping, {}, { service: 'nobody', signal: giveUp.signal });
    giveUp.abort();
    expect(await call.catch((error: unknown) => error)).toMatchObject({ code: 'unavailable' });
  });

  it('does not begin a request that its caller no longer waits for', async () => {
    const before = await countWidgets(database);
    const busy = Array.from({ length: inFlight }, () => client.services.call(echo, { hold_ms: 1500 }));
    const request = { principal, params: {}, query: {}, body: {} };
    const late = client.rpc.request({
      service: 'fixture',
      name: 'createWidget',
      payload: request,
      timeoutMs: 300,
    });
    expect(await late.catch((error: unknown) => error)).toMatchObject({ code: 'unavailable' });
    await Promise.all(busy);
    // What came after it is done, so it would be done too.
    expect((await callOperation(client.services, createWidget, {})).status).toBe(201);
    expect(await countWidgets(database)).toBe(before + 1);
  });

  it('does not begin a request whose deadline has passed', async () => {
    const before = await countWidgets(database);
    const envelope = JSON.stringify({ principal, params: {}, query: {}, body: {} });
    const head = { id: 1, replyTo: 'nowhere', name: 'createWidget' };
    const add = (waitMs: number) =>
      client.connections.shared.xadd(stream, '*', 'h', JSON.stringify({ ...head, waitMs }), 'b', envelope);
    // More than the clocks of Redis and of this process can be apart: a round trip that is measured takes half a second at most.
    await add(-1_000);
    await add(60_000);
    await eventually(async () => expect(await countWidgets(database)).toBe(before + 1));
    await eventually(async () => expect(await client.connections.shared.xlen(stream)).toBe(0));
    expect(await countWidgets(database)).toBe(before + 1);
  });

  it.each([
    ['no JSON', ['h', '{{{', 'b', '{}']],
    ['no object', ['h', 'null', 'b', '{}']],
    ['no fields', ['x', 'y']],
    ['an unknown name', ['h', JSON.stringify(headOf('constructor')), 'b', '{}']],
    ['no payload', ['h', JSON.stringify(headOf('fixture.echo')), 'b', '']],
    ['a payload of another shape', ['h', JSON.stringify(headOf('fixture.echo')), 'b', '[1,2]']],
    ['an envelope of another shape', ['h', JSON.stringify(headOf('createWidget')), 'b', 'null']],
    ['a seal that is none', ['h', JSON.stringify({ ...headOf('fixture.echo'), sealed: true }), 'b', 'x']],
  ])('goes on after an entry with %s', async (_, fields) => {
    await client.connections.shared.xadd(stream, '*', ...fields);
    expect((await client.services.call(ping, {}, { service: 'fixture' })).service).toBe('fixture');
  });

  it('goes on after a message that is no answer', async () => {
    const { shared } = client.connections;
    for (const channelName of await replyChannels(client)) {
      for (const garbage of ['', 'null\n', '[[null,3]]\nabc', '{"length":1}\n', '[[{"id":1},"x"]]\n'])
        await shared.publish(channelName, garbage);
    }
    expect((await client.services.call(ping, {}, { service: 'fixture' })).service).toBe('fixture');
  });

  it('writes request and trace ids into the log lines of a handler', async () => {
    const replica = await startServiceProcess(fixtureEntries.fixture, { ...environment, LOG_LEVEL: 'debug' });
    try {
      await eventually(async () => {
        const context = { requestId: 'logged-request', traceparent: newTraceparent() };
        await runWithContext(context, () => client.services.call(inspect, {}));
        const lines = replica.output().split('\n');
        const line = lines.find((text) => text.includes('inspected') && text.includes('logged-request'));
        expect(JSON.parse(line!)).toMatchObject({
          request_id: 'logged-request',
          trace_id: expect.stringMatching(/^[0-9a-f]{32}$/) as string,
          operation: 'fixture.inspect',
        });
      });
    } finally {
      await replica.stop();
    }
  });
});

function headOf(name: string): object {
  return { id: 1, replyTo: 'nowhere', name, waitMs: 60_000 };
}

async function replyChannels(client: TestClient): Promise<string[]> {
  const pattern = client.connections.key('rpc-reply', '*');
  return (await client.connections.shared.pubsub('CHANNELS', pattern)) as string[];
}
