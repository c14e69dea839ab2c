import { randomUUID } from 'node:crypto';
import { startService, type RunningService } from '@aos/service';
import {
  createTestDatabase,
  eventually,
  fixtureService,
  inspect,
  sealWidget,
  startEmbedded,
  startRedisMonitor,
  startTestClient,
  testConfig,
  testEnvironment,
  type EmbeddedStores,
  type RedisMonitor,
  type TestClient,
  type TestDatabase,
} from '../src/index.js';
import { callOperation } from './fixture-calls.js';

const mebibyte = 1024 * 1024;

describe('large answers', () => {
  let stores: EmbeddedStores;
  let database: TestDatabase;
  let service: RunningService;
  let client: TestClient;
  let watcher: RedisMonitor | undefined;

  beforeAll(async () => {
    stores = await startEmbedded();
    database = await createTestDatabase([fixtureService], stores.databaseUrl);
    const environment = testEnvironment({ DATABASE_URL: database.url, REDIS_URL: stores.redisUrl });
    service = await startService(fixtureService, testConfig(environment));
    client = startTestClient(environment);
  });

  afterAll(async () => {
    client?.close();
    await service?.close();
    await database?.drop();
    await stores?.stop();
  });

  /** Nothing of a test may lie in Redis when it is over. */
  afterEach(async () => {
    watcher?.stop();
    watcher = undefined;
    const pattern = client.connections.key('rpc-answer', '*');
    await eventually(async () => expect(await client.connections.shared.keys(pattern)).toEqual([]));
  });

  /** Every command that any client sends to Redis from now on, by its name. */
  const watchCommands = async () => {
    watcher = await startRedisMonitor(stores.redisUrl);
    const { commands } = watcher;
    const named = (wanted: string) => commands.filter(([name]) => name!.toLowerCase() === wanted);
    return { commands, named };
  };

  it('arrive though they are ready together, and no other is lost with them', async () => {
    const { named } = await watchCommands();
    const texts = Array.from({ length: 12 }, (_, index) => `${index} ü € 😀 ${'x'.repeat(mebibyte)}`);
    texts.push('small');
    const calls = texts.map((text) => client.services.call(inspect, { text, hold_ms: 500 }));
    const answers = await Promise.all(calls);
    expect(answers.map(({ text }) => text.length)).toEqual(texts.map((text) => text.length));
    expect(answers.map(({ text }) => text)).toEqual(texts);
    // A Redis of one's own cuts off a subscriber that has 32 MB before it, and every answer to it is lost.
    await eventually(() => expect(named('unlink')).toHaveLength(12));
    const published = named('publish').map(([, , message]) => message!.length);
    expect(published.reduce((sum, size) => sum + size, 0)).toBeLessThan(mebibyte);
  });

  it('that are not quite so large are published in several messages', async () => {
    const { named } = await watchCommands();
    const text = 'y'.repeat(60_000);
    const calls = Array.from({ length: 60 }, () => client.services.call(inspect, { text, hold_ms: 300 }));
    const answers = await Promise.all(calls);
    expect(answers.filter((answer) => answer.text === text)).toHaveLength(60);
    await eventually(() => {
      const sizes = named('publish').map(([, , message]) => message!.length);
      expect(sizes.reduce((sum, size) => sum + size, 0)).toBeGreaterThan(60 * text.length);
      expect(Math.max(...sizes)).toBeLessThan(1.1 * mebibyte);
      // Those that fit travel together.
      expect(sizes.length).toBeLessThan(60);
    });
  });

  it('past the limit fail alone', async () => {
    const text = '€'.repeat(6 * mebibyte);
    const small = Array.from({ length: 3 }, () => client.services.call(inspect, { text: 'ok', hold_ms: 50 }));
    const refused = await client.services.call(inspect, { text }).catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: 'internal_error', message: expect.stringContaining('too large') });
    expect((await Promise.all(small)).map((answer) => answer.text)).toEqual(['ok', 'ok', 'ok']);
  });

  it('stay sealed where they wait', async () => {
    const { commands, named } = await watchCommands();
    const token = `secret-${randomUUID()}-${'z'.repeat(300_000)}`;
    const params = { widgetId: randomUUID() };
    const answer = await callOperation(client.services, sealWidget, { token }, { params });
    expect(JSON.parse(answer.body)).toEqual({ token });
    await eventually(() => expect(named('unlink')).toHaveLength(1));
    expect(named('set').filter(([, key]) => key!.includes('rpc-answer'))).toHaveLength(1);
    expect(commands.filter((command) => command.join(' ').includes(token.slice(0, 40)))).toEqual([]);
  });

  const waitingKey = (channel: string, id: string) =>
    `${channel.replace(':rpc-reply:', ':rpc-answer:')}:${id}`;

  it('that Redis has lost are refused to their caller', async () => {
    const { shared } = client.connections;
    const call = client.rpc.request({ service: 'nobody', name: 'lost', payload: {} });
    const refused = call.catch((error: unknown) => error);
    const stream = client.connections.key('rpc', 'nobody');
    const head = await eventually(async () => {
      const [entry] = await shared.xrange(stream, '-', '+');
      return JSON.parse(entry![1][1]!) as { id: number; replyTo: string };
    });
    const waitsAt = waitingKey(head.replyTo, 'gone');
    await shared.publish(head.replyTo, `${JSON.stringify([[{ id: head.id, waitsAt }, 0]])}\n`);
    expect(await refused).toMatchObject({ code: 'unavailable', message: 'The answer was lost.' });
  });

  it('are removed when their caller waits no more', async () => {
    const { shared } = client.connections;
    const [channel] = (await shared.pubsub('CHANNELS', client.connections.key('rpc-reply', '*'))) as string[];
    const waitsAt = waitingKey(channel!, 'late');
    await shared.set(waitsAt, 'late', 'EX', 600);
    await shared.publish(channel!, `${JSON.stringify([[{ id: 1_000_000, waitsAt }, 0]])}\n`);
    await eventually(async () => expect(await shared.exists(waitsAt)).toBe(0));
  });
});
