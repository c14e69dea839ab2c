import {
  deleteWebhook,
  getWebhookSecret,
  humanRequestCreated,
  listEvents,
  redeliverRunDelivery,
  runCompleted,
  runMessageCreated,
  runStarted,
  updateWebhook,
  type EventDefinition,
} from '@aos/contracts';
import type { NewEvent } from '@aos/events';
import { eventually, startReceiver, type ReceivedDelivery, type WebhookReceiver } from '@aos/testing';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { uuidv7 } from 'uuidv7';
import { expectCountsRight } from './delivery-counts.js';
import {
  exampleOf,
  startWebhooks,
  type DispatcherUnderTest,
  type WebhooksClient,
} from './dispatcher-under-test.js';

interface CallbackRow {
  readonly target_id: string;
  readonly queue_id: string;
  readonly status: string;
  readonly attempts: number;
  readonly url: string;
}

describe('the callback of a run', () => {
  let webhooks: DispatcherUnderTest;
  let receiver: WebhookReceiver;
  let team: WebhooksClient;
  let runId: string;

  beforeAll(async () => {
    webhooks = await startWebhooks({ WEBHOOK_RETRY_SCHEDULE_MS: '0,50,50', WEBHOOK_TIMEOUT_MS: '60000' });
  });

  beforeEach(async () => {
    team = webhooks.anotherTeam();
    receiver = await startReceiver();
    runId = uuidv7();
  });

  afterEach(() => expectCountsRight(webhooks.database, team));

  afterEach(() => receiver?.close());

  afterAll(() => webhooks?.stop());

  function eventOf(event: EventDefinition, callbackUrl?: string, owner = team): NewEvent {
    const data = { ...(event.example as object), run_id: runId };
    return exampleOf(event, owner.teamId, { data, callbackUrl });
  }

  const rowsOf = (ids: readonly string[]) =>
    webhooks.database.query<CallbackRow>(
      `SELECT target_id, queue_id, status, attempts, url FROM webhook_dispatcher.delivery
        WHERE event_id = ANY ($1) ORDER BY position`,
      [ids],
    );

  const settled = (ids: readonly string[], status: string) =>
    eventually(async () => {
      const rows = await rowsOf(ids);
      expect(rows.map((row) => row.status)).toEqual(ids.map(() => status));
      return rows;
    });

  const redeliver = (
    deliveryId: string,
    { as = team, run = runId, key = undefined as string | undefined } = {},
  ) => as.call(redeliverRunDelivery, { params: { run_id: run, deliveryId }, key });

  it('is told the events that carry its address, signed, and those alone', async () => {
    const url = receiver.url('/done?ticket=7');
    const [started, , asked] = (await webhooks.runs.record([
      eventOf(runStarted, url),
      eventOf(runMessageCreated),
      eventOf(humanRequestCreated, url),
    ])) as [string, string, string];
    const rows = await settled([started, asked], 'delivered');
    expect(rows).toEqual([
      expect.objectContaining({ target_id: runId, url, attempts: 1 }),
      expect.objectContaining({ target_id: runId, url, attempts: 1 }),
    ]);
    expect(receiver.ids()).toEqual(new Set([started, asked]));
    const { events } = await team.succeed(listEvents);
    const { secret } = await team.succeed(getWebhookSecret);
    for (const { id, path, rawBody, headers } of receiver.received) {
      expect(path).toBe('/done?ticket=7');
      const envelope = new StandardWebhook(secret).verify(rawBody, headers as Record<string, string>);
      expect(envelope).toEqual(events.find((event) => event.id === id));
      expect(Object.keys(envelope as object)).toEqual(['id', 'event', 'created_at', 'data']);
    }
  });

  it('goes to its address only; a webhook that wants the event gets a delivery of its own', async () => {
    const { id: subscriptionId } = await team.subscribe(receiver.url('/hook'), runCompleted.name);
    const ids = (await webhooks.runs.record([
      eventOf(runCompleted, receiver.url('/callback')),
      eventOf(runCompleted),
    ])) as [string, string];
    await eventually(() => expect(receiver.received).toHaveLength(3));
    const paths = (id: string) => receiver.received.filter((one) => one.id === id).map(({ path }) => path);
    expect(paths(ids[0]).sort()).toEqual(['/callback', '/hook']);
    expect(paths(ids[1])).toEqual(['/hook']);
    for (const id of ids) await team.reach(subscriptionId, id, 'delivered');
  });

  it('is tried again as a webhook is, and dead in the end', async () => {
    receiver.behave(() => ({ status: 500 }));
    const ids = await webhooks.runs.record([eventOf(runCompleted, receiver.url())]);
    const [row] = await settled(ids, 'dead');
    expect(row).toMatchObject({ attempts: 3 });
    expect(receiver.received).toHaveLength(3);
    expect(new Set(receiver.received.map(({ rawBody }) => rawBody.toString())).size).toBe(1);
  });

  it('is dead at once where the receiver says that it is gone, and the next one is tried all the same', async () => {
    receiver.behave(({ id }) => ({ status: id === receiver.received[0]!.id ? 410 : 200 }));
    const gone = await webhooks.runs.record([eventOf(runStarted, receiver.url())]);
    expect((await settled(gone, 'dead'))[0]).toMatchObject({ attempts: 1 });
    await settled(await webhooks.runs.record([eventOf(runCompleted, receiver.url())]), 'delivered');
  });

  it('shares its queue with the callbacks of its team at that host, and with nobody else', async () => {
    const other = await startReceiver();
    const stranger = webhooks.anotherTeam();
    const ids = await webhooks.runs.record([
      eventOf(runStarted, receiver.url('/a')),
      eventOf(runCompleted, receiver.url('/b')),
      eventOf(runCompleted, other.url('/a')),
      eventOf(runStarted, receiver.url('/a'), stranger),
    ]);
    await settled(ids, 'delivered');
    const rows = await webhooks.database.query<{ queue_id: string }>(
      `SELECT queue_id FROM webhook_dispatcher.delivery
        WHERE event_id = ANY ($1) ORDER BY array_position($1::uuid[], event_id)`,
      [ids],
    );
    const [first, second, elsewhere, foreign] = rows.map((row) => row.queue_id);
    expect(second).toBe(first);
    expect(new Set([first, elsewhere, foreign]).size).toBe(3);
    await other.close();
  });

  it('is not delayed by another team whose receiver hangs at the same host', async () => {
    const stranger = webhooks.anotherTeam();
    receiver.behave(({ path }) => (path === '/hangs' ? 'hang' : { status: 200 }));
    const hanging = Array.from({ length: 50 }, () => eventOf(runCompleted, receiver.url('/hangs'), stranger));
    const hangingIds = await webhooks.runs.record(hanging);
    await eventually(() => expect(receiver.received).not.toHaveLength(0));
    const ids = await webhooks.runs.record([eventOf(runCompleted, receiver.url('/answers'))]);
    await settled(ids, 'delivered');
    // Of those not one has ended meanwhile.
    expect((await rowsOf(hangingIds)).every(({ attempts }) => attempts === 0)).toBe(true);
  });

  it('can be told again, under the same id', async () => {
    receiver.behave((_delivery: ReceivedDelivery, times) => ({ status: times < 5 ? 500 : 200 }));
    const ids = (await webhooks.runs.record([eventOf(runCompleted, receiver.url())])) as [string];
    await settled(ids, 'dead');
    const answer = await redeliver(ids[0], { key: 'again' });
    expect(answer).toMatchObject({
      status: 200,
      body: {
        deliveryId: ids[0],
        status: 'pending',
        delivery: { id: ids[0], status: 'pending', attempts: 3 },
      },
    });
    expect((await settled(ids, 'delivered'))[0]).toMatchObject({ attempts: 5 });
    expect(await redeliver(ids[0], { key: 'again' })).toEqual({ ...answer, replayed: true });
    expect(receiver.ids()).toEqual(new Set(ids));
  });

  it('cannot be told again by another team, for another run, or where there was nothing', async () => {
    const ids = (await webhooks.runs.record([eventOf(runCompleted, receiver.url())])) as [string];
    await settled(ids, 'delivered');
    const refusals = [
      await redeliver(ids[0], { as: webhooks.anotherTeam() }),
      await redeliver(ids[0], { run: uuidv7() }),
      await redeliver(uuidv7()),
    ];
    for (const { status, body } of refusals) expect([status, body.error]).toEqual([404, 'not_found']);
    expect(receiver.received).toHaveLength(1);
  });

  it('is not what a webhook was told, be that enabled, disabled or gone', async () => {
    const { id: subscriptionId } = await team.subscribe(receiver.url('/hook'), runCompleted.name);
    const ids = (await webhooks.runs.record([eventOf(runCompleted)])) as [string];
    await settled(ids, 'delivered');
    const expectRefused = async () => {
      const { status, body } = await redeliver(ids[0], { run: subscriptionId });
      expect([status, body.error]).toEqual([404, 'not_found']);
    };
    await expectRefused();
    const params = { subscriptionId };
    await team.succeed(updateWebhook, { params, body: { enabled: false } });
    await expectRefused();
    await team.succeed(deleteWebhook, { params });
    await expectRefused();
    expect((await settled(ids, 'delivered'))[0]).toMatchObject({ attempts: 1 });
    expect(receiver.received).toHaveLength(1);
  });
});
