import { getWebhookSecret, rotateWebhookSecret, runCompleted, testWebhook } from '@aos/contracts';
import {
  appEntry,
  createProductDatabase,
  startEventLog,
  startReceiver,
  startRedisMonitor,
  startServiceProcess,
  startTestClient,
  testEnvironment,
  type EventLog,
  type ServiceProcess,
  type TestClient,
  type TestDatabase,
  type WebhookReceiver,
} from '@aos/testing';
import { Redis } from 'ioredis';
import { exampleOf, loopbackAllowed, webhooksClient, type WebhooksClient } from './dispatcher-under-test.js';

const format = /^whsec_[A-Za-z0-9+/]{43}=$/;

describe('the signing secret of a team', () => {
  let database: TestDatabase;
  let environment: Record<string, string>;
  let dispatcher: ServiceProcess;
  let client: TestClient;
  let runs: EventLog;
  let receiver: WebhookReceiver;
  let team: WebhooksClient;

  beforeAll(async () => {
    database = await createProductDatabase();
    environment = testEnvironment({
      DATABASE_URL: database.url,
      WEBHOOK_RETRY_SCHEDULE_MS: '0,50',
      ...loopbackAllowed,
    });
    client = startTestClient(environment);
    receiver = await startReceiver();
    runs = await startEventLog('runs', environment);
    dispatcher = await startServiceProcess(appEntry('webhook-dispatcher'), {
      ...environment,
      LOG_LEVEL: 'trace',
    });
  });

  beforeEach(() => {
    team = webhooksClient(client.services);
  });

  afterAll(async () => {
    client?.close();
    await Promise.all([dispatcher?.stop(), runs?.stop(), receiver?.close()]);
    await database?.drop();
  });

  const rotate = (overlap_seconds?: number, key?: string) =>
    team.succeed(rotateWebhookSecret, { body: { overlap_seconds }, key });

  it('is made at the first read, once for all who read at that moment', async () => {
    const read = () => team.succeed(getWebhookSecret);
    const answers = await Promise.all(Array.from({ length: 10 }, read));
    const [first] = answers;
    expect(first).toEqual({
      secret: expect.stringMatching(format),
      created_at: expect.stringMatching(/Z$/),
      previous_expires_at: null,
    });
    for (const answer of [...answers, await read()]) expect(answer).toEqual(first);
  });

  it('is another for each team', async () => {
    const { secret } = await team.succeed(getWebhookSecret);
    const { secret: other } = await webhooksClient(client.services).succeed(getWebhookSecret);
    expect(other).not.toBe(secret);
  });

  it('is replaced by rotation; the old one ends at once, or when it was said', async () => {
    const first = await rotate();
    expect(first).toMatchObject({ secret: expect.stringMatching(format), previous_expires_at: null });
    const second = await rotate(3_600);
    expect(second.secret).not.toBe(first.secret);
    const overlapMs = Date.parse(second.previous_expires_at!) - Date.parse(second.created_at);
    expect(overlapMs).toBe(3_600_000);
    expect(await team.succeed(getWebhookSecret)).toEqual(second);
    const third = await rotate(0);
    expect(third).toMatchObject({ previous_expires_at: null });
    expect(await team.succeed(getWebhookSecret)).toEqual(third);
  });

  it.each([-1, 86_401, 1.5, '60'])('cannot overlap for %p seconds', async (overlap_seconds) => {
    const { status, body } = await team.call(rotateWebhookSecret, { body: { overlap_seconds } });
    expect([status, body.error]).toEqual([400, 'invalid_request']);
    expect(body.message).toMatch(/^overlap_seconds/);
  });

  it('is replaced once for one Idempotency-Key, and the answer is the same', async () => {
    const first = await rotate(60, 'once');
    expect(await rotate(60, 'once')).toEqual(first);
    expect(await team.succeed(getWebhookSecret)).toEqual(first);
  });

  it('lies readable nowhere: not in a table, not in Redis, not in a log', async () => {
    // What travels there may be gone in a moment.
    const seen = await startRedisMonitor(environment['REDIS_URL']!);
    const secrets = [await team.succeed(getWebhookSecret), await rotate(600, 'kept'), await rotate(600)].map(
      ({ secret }) => secret,
    );
    await rotate(600, 'kept');
    const { id: subscriptionId } = await team.subscribe(receiver.url('/watched'), runCompleted.name);
    receiver.behave((_delivery, times) => ({ status: times < 2 ? 500 : 200 }));
    await team.succeed(testWebhook, { params: { subscriptionId } });
    const [deliveryId] = (await runs.record([exampleOf(runCompleted, team.teamId)])) as [string];
    await team.reach(subscriptionId, deliveryId, 'delivered');

    const places = {
      tables: JSON.stringify(await everyRow()),
      redis: JSON.stringify(await everyKey()),
      'the wire to Redis': seen.commands.map((command) => command.join(' ')).join('\n'),
      log: dispatcher.output(),
    };
    seen.stop();
    // The places are the right ones: of other things they do tell.
    expect(places.tables).toContain('/watched');
    expect(places.redis).toContain(environment['REDIS_PREFIX']);
    expect(places['the wire to Redis']).toContain(team.teamId);
    expect(places.log).toContain('webhook-dispatcher');
    for (const [place, text] of Object.entries(places)) {
      const found = [...secrets, ...secrets.map((secret) => secret.slice('whsec_'.length)), 'whsec_'].filter(
        (secret) => text.includes(secret),
      );
      expect([place, found]).toEqual([place, []]);
    }
  });

  async function everyRow(): Promise<unknown[]> {
    const tables = await database.query<{ name: string }>(
      `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
        WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`,
    );
    return Promise.all(
      tables.map(async ({ name }) => [name, await database.query(`SELECT to_jsonb(t) FROM ${name} AS t`)]),
    );
  }

  async function everyKey(): Promise<unknown[]> {
    const redis = new Redis(environment['REDIS_URL']!);
    const contents = [];
    for (const key of await redis.keys(`*${environment['REDIS_PREFIX']}*`)) {
      contents.push([key, await contentOf(redis, key)]);
    }
    redis.disconnect();
    return contents;
  }
});

async function contentOf(redis: Redis, key: string): Promise<unknown> {
  switch (await redis.type(key)) {
    case 'string':
      return redis.get(key);
    case 'hash':
      return redis.hgetall(key);
    case 'list':
      return redis.lrange(key, 0, -1);
    case 'set':
      return redis.smembers(key);
    case 'zset':
      return redis.zrange(key, 0, -1);
    case 'stream':
      return redis.xrange(key, '-', '+');
    default:
      return null;
  }
}
