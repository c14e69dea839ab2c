import { setTimeout as delay } from 'node:timers/promises';
import {
  buildPublished,
  connectionUpdated,
  deleteWebhook,
  listEvents,
  runCompleted,
  runMessageCreated,
  type Webhook,
} from '@aos/contracts';
import {
  appEntry,
  createTestDatabase,
  eventually,
  ofStorm,
  seededRandom,
  startEmbedded,
  startEventLog,
  startReceiver,
  startServiceProcess,
  startTestClient,
  testEnvironment,
  type EmbeddedStores,
  type EventLog,
  type ServiceProcess,
  type TestClient,
  type TestDatabase,
  type WebhookReceiver,
} from '@aos/testing';
import { Redis } from 'ioredis';
import { fanOutLimits } from '../../../src/feed/fan-out.js';
import { wrongCounts } from '../../delivery-counts.js';
import {
  exampleOf,
  loopbackAllowed,
  webhooksClient,
  type WebhooksClient,
} from '../../dispatcher-under-test.js';

const eventCount = ofStorm({ short: 400, long: 2_000 });
const batchSize = 20;
const pauseMs = 120;
const maxTotalMs = 120_000;
const random = seededRandom();
const names = [runCompleted.name, runMessageCreated.name, buildPublished.name];

/** Many short waits: whatever is away for a while is tried until it is back. */
const schedule = ['0', '100', '300', ...Array<string>(40).fill('1000')].join();

describe('webhooks in a storm', () => {
  let stores: EmbeddedStores;
  let database: TestDatabase;
  let environment: Record<string, string>;
  let client: TestClient;
  let team: WebhooksClient;
  let runs: EventLog;
  let agents: EventLog;
  const dispatchers: (ServiceProcess | undefined)[] = [];
  const receivers: WebhookReceiver[] = [];

  beforeAll(async () => {
    stores = await startEmbedded();
    database = await createTestDatabase([], stores.databaseUrl);
    environment = testEnvironment({
      ...loopbackAllowed,
      DATABASE_URL: database.url,
      REDIS_URL: stores.redisUrl,
      RPC_TIMEOUT_MS: '3000',
      WEBHOOK_RETRY_SCHEDULE_MS: schedule,
      WEBHOOK_TIMEOUT_MS: '1000',
      WEBHOOK_LEASE_MS: '2000',
    });
    client = startTestClient(environment);
    team = webhooksClient(client.services);
    runs = await startEventLog('runs', environment);
    agents = await startEventLog('agents-and-revisions', environment);
    for (let count = 0; count < 2; count += 1) dispatchers.push(await startOne());
  });

  afterAll(async () => {
    client?.close();
    await Promise.all(receivers.map((receiver) => receiver.close()));
    await Promise.all(dispatchers.map((dispatcher) => dispatcher?.stop()));
    await Promise.all([runs?.stop(), agents?.stop()]);
    await database?.drop();
    await stores?.stop();
  });

  const turns: Promise<void>[] = [];

  const startOne = () => startServiceProcess(appEntry('webhook-dispatcher'), environment);

  /** Requests are lost while processes die: then they are asked again. */
  const surely = <T>(ask: () => Promise<T>) => eventually(ask, { timeoutMs: maxTotalMs });

  async function subscribed(): Promise<[Webhook, WebhookReceiver]> {
    const receiver = await startReceiver();
    receivers.push(receiver);
    return [await surely(() => team.subscribe(receiver.url(), ...names)), receiver];
  }

  /** Ends one as a power cut would, and starts another in its place, which the next kill waits for. */
  function killOne(place: number): Promise<void> {
    turns[place] = (turns[place] ?? Promise.resolve()).then(() => replace(place));
    return turns[place];
  }

  async function replace(place: number): Promise<void> {
    const dispatcher = dispatchers[place]!;
    dispatchers[place] = undefined;
    dispatcher.signal('SIGKILL');
    await dispatcher.exited;
    dispatchers[place] = await startOne();
  }

  async function flush(): Promise<void> {
    const redis = new Redis(stores.redisUrl);
    await redis.flushall();
    redis.disconnect();
  }

  /** From then on the deliveries of the team are made by the fan-out; these webhooks want nothing that comes. */
  async function subscribeMany(): Promise<void> {
    await database.query(
      `INSERT INTO webhook_dispatcher.webhook_subscription
         (id, team_id, url, events, enabled, consecutive_failures, created_at, updated_at)
       SELECT gen_random_uuid(), $1, 'http://127.0.0.1/', ARRAY[$2], true, 0, now(), now() FROM generate_series(1, $3)`,
      [team.teamId, connectionUpdated.name, fanOutLimits.directWebhooks],
    );
  }

  /** Records all events, in turns from two logs, and gives their ids. */
  async function recordAll(afterBatch: (recorded: number) => void): Promise<string[]> {
    const ids: string[] = [];
    while (ids.length < eventCount) {
      const ofRuns = (ids.length / batchSize) % 3 !== 2;
      const kinds = ofRuns ? [runCompleted, runMessageCreated] : [buildPublished];
      const batch = Array.from({ length: batchSize }, (_, index) =>
        exampleOf(kinds[index % kinds.length]!, team.teamId),
      );
      ids.push(...(await (ofRuns ? runs : agents).record(batch)));
      afterBatch(ids.length);
      await delay(pauseMs);
    }
    return ids;
  }

  /** Deletes the webhook; gives what it had got when the last that was under way had ended. */
  async function remove({ id: subscriptionId }: Webhook, receiver: WebhookReceiver): Promise<number> {
    await surely(async () => {
      const { status } = await team.call(deleteWebhook, { params: { subscriptionId } });
      // 404 where an earlier try had its effect and its answer was lost.
      expect([200, 404]).toContain(status);
    });
    await surely(async () => {
      const [queue] = await database.query<{ lease_token: string | null; pending: string }>(
        `SELECT lease_token, (SELECT count(*) FROM webhook_dispatcher.delivery
                               WHERE queue_id = queue.id AND status = 'pending') AS pending
           FROM webhook_dispatcher.endpoint_queue AS queue WHERE id = $1`,
        [subscriptionId],
      );
      expect(queue).toEqual({ lease_token: null, pending: '0' });
    });
    return receiver.received.length;
  }

  async function wholeFeed(): Promise<string[]> {
    const ids: string[] = [];
    for (let after = '0', more = true; more;) {
      const page = await surely(() => team.succeed(listEvents, { query: { after, limit: '700' } }));
      ids.push(...page.events.map(({ id }) => id));
      [after, more] = [page.next_cursor, page.has_more];
    }
    return ids;
  }

  it(`brings all of ${eventCount} events to all who live, whatever dies`, async () => {
    const healthy = [await subscribed(), await subscribed()];
    const [stuck, hanging] = await subscribed();
    const [moody, fickle] = await subscribed();
    const [absent, downAndUp] = await subscribed();
    const [doomed, forgotten] = await subscribed();
    hanging.behave(() => 'hang');
    fickle.behave(() => ({ status: random.fraction() < 0.3 ? 503 : 200 }));

    const mishaps: Promise<unknown>[] = [];
    let forgottenAt: Promise<number> | undefined;
    /** What happens when that part of the events is recorded. */
    const plan: [number, () => Promise<unknown>][] = [
      [0.1, () => killOne(0)],
      [0.3, () => downAndUp.down()],
      [0.35, flush],
      [0.38, subscribeMany],
      [0.4, () => killOne(1)],
      [0.5, () => (forgottenAt = remove(doomed, forgotten))],
      [0.7, () => downAndUp.up()],
      ...ofStorm<typeof plan>({
        short: [],
        long: [
          [0.25, () => killOne(1)],
          [0.6, () => killOne(1)],
          [0.75, flush],
          [0.85, () => killOne(0)],
        ],
      }),
    ];
    const ids = await recordAll((recorded) => {
      const due = plan.filter(([part]) => part * eventCount <= recorded);
      for (const one of due) {
        plan.splice(plan.indexOf(one), 1);
        mishaps.push(one[1]());
      }
    });
    expect(plan).toEqual([]);
    await Promise.all(mishaps);

    const living = [...healthy, [moody, fickle], [absent, downAndUp]] as [Webhook, WebhookReceiver][];
    for (const [webhook, receiver] of living) {
      await eventually(() => expect(receiver.ids().size).toBe(eventCount), { timeoutMs: maxTotalMs });
      expect(receiver.ids()).toEqual(new Set(ids));
      await surely(async () => {
        const rows = await database.query(
          `SELECT status, count(*) FROM webhook_dispatcher.delivery WHERE target_id = $1 GROUP BY status`,
          [webhook.id],
        );
        expect(rows).toEqual([{ status: 'delivered', count: String(eventCount) }]);
      });
    }
    expect(await database.query('SELECT * FROM webhook_dispatcher.feed_fanout')).toEqual([]);
    const feed = await wholeFeed();
    expect(feed).toHaveLength(eventCount);
    expect(new Set(feed)).toEqual(new Set(ids));

    const [ofStuck] = await database.query<{ delivered: string; all: string }>(
      `SELECT count(*) FILTER (WHERE status = 'delivered') AS delivered, count(*) AS all
         FROM webhook_dispatcher.delivery WHERE target_id = $1`,
      [stuck.id],
    );
    expect(ofStuck).toEqual({ delivered: '0', all: String(eventCount) });
    expect(forgotten.received.length).toBe(await forgottenAt);
    expect(await database.query('SELECT * FROM webhook_dispatcher.dead_event')).toEqual([]);
    await surely(async () => expect(await wrongCounts(database)).toEqual([]));
  }, 240_000);
});
