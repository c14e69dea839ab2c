import { runCompleted } from '@aos/contracts';
import { eventually, startReceiver, type WebhookReceiver } from '@aos/testing';
import { wrongCounts } from './delivery-counts.js';
import { exampleOf, startWebhooks, type DispatcherUnderTest } from './dispatcher-under-test.js';

const events = 200;
const queues = 12;

describe('receivers that hang', () => {
  let webhooks: DispatcherUnderTest;
  let hanging: WebhookReceiver;
  let healthy: WebhookReceiver;

  beforeEach(async () => {
    [hanging, healthy] = await Promise.all([startReceiver(), startReceiver()]);
    hanging.behave(() => 'hang');
    // Longer than any test: what hangs does so until the end.
    webhooks = await startWebhooks({
      WEBHOOK_TIMEOUT_MS: '600000',
      WEBHOOK_CONCURRENCY: '8',
      WEBHOOK_RETRY_SCHEDULE_MS: Array(20).fill('200').join(),
    });
  });

  afterEach(async () => {
    await Promise.all([hanging?.close(), healthy?.close()]);
    await webhooks?.stop();
  });

  const record = (count: number, callbackUrl?: string) =>
    webhooks.runs.record(
      Array.from({ length: count }, () => exampleOf(runCompleted, webhooks.teamId, { callbackUrl })),
    );

  async function endedOf(targets: readonly string[]): Promise<Record<string, number>> {
    const rows = await webhooks.database.query<{ status: string; count: string }>(
      `SELECT status, count(*) FROM webhook_dispatcher.delivery
        WHERE target_id = ANY ($1) AND (status <> 'pending' OR attempts > 0) GROUP BY status`,
      [targets],
    );
    return Object.fromEntries(rows.map(({ status, count }) => [status, Number(count)]));
  }

  it('do not delay one that answers: it has everything before a single one of theirs has ended', async () => {
    const stuck = await webhooks.subscribe(hanging.url(), runCompleted.name);
    await record(events);
    await eventually(() => expect(hanging.received).toHaveLength(8));
    const open = await webhooks.subscribe(healthy.url(), runCompleted.name);
    const ids = await record(events);
    await eventually(async () => expect(await endedOf([open.id])).toEqual({ delivered: events }));
    expect(healthy.ids()).toEqual(new Set(ids));
    expect(healthy.received).toHaveLength(events);
    expect(await endedOf([stuck.id])).toEqual({});
    // As many as one receiver may have, and not one more.
    expect(hanging.received).toHaveLength(8);
    expect(await wrongCounts(webhooks.database)).toEqual([]);
  });

  it('do not delay others if they are many, webhooks and callbacks', async () => {
    const stuck = [];
    for (let count = 0; count < 50; count += 1) {
      stuck.push(await webhooks.subscribe(hanging.url(`/${count}`), runCompleted.name));
    }
    await record(20, hanging.url('/callback'));
    await eventually(() => expect(hanging.received).toHaveLength(51 * 8), { timeoutMs: 30_000 });
    const open = await webhooks.subscribe(healthy.url(), runCompleted.name);
    const ids = await record(20);
    await eventually(async () => expect(await endedOf([open.id])).toEqual({ delivered: 20 }));
    expect(healthy.ids()).toEqual(new Set(ids));
    expect(await endedOf(stuck.map(({ id }) => id))).toEqual({});
  });

  it('get what they did not answer again when their receiver is back', async () => {
    const stuck = await webhooks.subscribe(hanging.url(), runCompleted.name);
    const ids = await record(20);
    await eventually(() => expect(hanging.received).toHaveLength(8));
    await hanging.down();
    hanging.behave(() => ({ status: 200 }));
    await hanging.up();
    await eventually(async () => expect(await endedOf([stuck.id])).toEqual({ delivered: 20 }));
    expect(hanging.ids()).toEqual(new Set(ids));
  });
});

describe('a team whose receivers hang', () => {
  let webhooks: DispatcherUnderTest;
  let hanging: WebhookReceiver;
  let healthy: WebhookReceiver;

  beforeAll(async () => {
    [hanging, healthy] = await Promise.all([startReceiver(), startReceiver()]);
    hanging.behave(() => 'hang');
    webhooks = await startWebhooks({ WEBHOOK_TIMEOUT_MS: '600000', WEBHOOK_ENDPOINT_QUEUES: String(queues) });
  });

  afterAll(async () => {
    await Promise.all([hanging?.close(), healthy?.close()]);
    await webhooks?.stop();
  });

  const served = () => new Set(hanging.received.map(({ path }) => path)).size;

  it('has half of the places, waits for itself and leaves room for others', async () => {
    for (let count = 0; count < queues * 2; count += 1) {
      await webhooks.subscribe(hanging.url(`/${count}`), runCompleted.name);
    }
    await webhooks.runs.record([exampleOf(runCompleted, webhooks.teamId)]);
    await eventually(() => expect(served()).toBe(queues / 2));

    // Others come while all of these hang, one after the other, each with several receivers.
    for (let team = 0; team < 6; team += 1) {
      const calm = webhooks.anotherTeam();
      for (let count = 0; count < 2; count += 1) {
        await calm.subscribe(healthy.url(`/${team}/${count}`), runCompleted.name);
      }
      const ids = await webhooks.runs.record([
        exampleOf(runCompleted, webhooks.teamId),
        ...Array.from({ length: 3 }, () => exampleOf(runCompleted, calm.teamId)),
      ]);
      await eventually(() => {
        for (let count = 0; count < 2; count += 1) {
          const got = healthy.received.filter(({ path }) => path === `/${team}/${count}`);
          expect(got.map(({ id }) => id).sort()).toEqual(ids.slice(1).sort());
        }
      });
    }
    expect(served()).toBe(queues / 2);

    // When its receivers answer, everything of the one that waited comes too.
    await hanging.down();
    hanging.behave(() => ({ status: 200 }));
    await hanging.up();
    await eventually(() => expect(served()).toBe(queues * 2), { timeoutMs: 30_000 });
  });
});
