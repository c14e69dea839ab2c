import { runCompleted } from '@aos/contracts';
import {
  createTestDatabase,
  eventually,
  startEmbedded,
  startEventLog,
  startReceiver,
  testEnvironment,
  type EmbeddedStores,
  type EventLog,
  type TestDatabase,
  type WebhookReceiver,
} from '@aos/testing';
import { ServiceClient } from '@aos/messaging';
import type { RunningService } from '@aos/service';
import { wrongCounts } from '../delivery-counts.js';
import {
  exampleOf,
  loopbackAllowed,
  startDispatcher,
  webhooksClient,
  type WebhooksClient,
} from '../dispatcher-under-test.js';

const perRound = 300;

describe('deliveries while a store is away', () => {
  let stores: EmbeddedStores;
  let database: TestDatabase;
  let running: RunningService;
  let runs: EventLog;
  let receiver: WebhookReceiver;
  let team: WebhooksClient;

  beforeAll(async () => {
    stores = await startEmbedded();
    database = await createTestDatabase([], stores.databaseUrl);
    const environment = testEnvironment({
      ...loopbackAllowed,
      DATABASE_URL: database.url,
      REDIS_URL: stores.redisUrl,
      WEBHOOK_LEASE_MS: '2000',
      WEBHOOK_RETRY_SCHEDULE_MS: '0,100,500,1000,1000,1000',
    });
    receiver = await startReceiver();
    runs = await startEventLog('runs', environment);
    running = await startDispatcher(environment);
    team = webhooksClient(running.app.get(ServiceClient));
  });

  afterAll(async () => {
    await receiver?.close();
    await Promise.all([running?.close(), runs?.stop()]);
    await database?.drop();
    await stores?.stop();
  });

  it.each(['postgres', 'redis'] as const)('all arrive, though %s dies in the midst of them', async (name) => {
    const { id: targetId } = await team.subscribe(receiver.url(`/${name}`), runCompleted.name);
    // Slow enough that some are under way at any moment.
    receiver.behave(() => ({ status: 200, delayMs: 30 }));
    const ids = await runs.record(
      Array.from({ length: perRound }, () => exampleOf(runCompleted, team.teamId)),
    );
    const arrived = () => receiver.received.filter(({ path }) => path === `/${name}`).map(({ id }) => id);
    for (const share of [0.2, 0.5]) {
      await eventually(() => expect(arrived().length).toBeGreaterThan(share * perRound));
      await stores[name].kill();
      await stores[name].start();
    }
    await eventually(() => expect(new Set(arrived())).toEqual(new Set(ids)), { timeoutMs: 30_000 });
    await eventually(
      async () => {
        const rows = await database.query(
          `SELECT status, count(*) FROM webhook_dispatcher.delivery WHERE target_id = $1 GROUP BY status`,
          [targetId],
        );
        expect(rows).toEqual([{ status: 'delivered', count: String(perRound) }]);
      },
      { timeoutMs: 30_000 },
    );
    expect(await wrongCounts(database)).toEqual([]);
  });
});
