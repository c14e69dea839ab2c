import {
  listWebhookDeliveries,
  redeliverWebhook,
  replayWebhooks,
  runCompleted,
  updateWebhook,
  type Delivery,
} from '@aos/contracts';
import { eventually, startReceiver, type WebhookReceiver } from '@aos/testing';
import { uuidv7 } from 'uuidv7';
import { expectCountsRight } from './delivery-counts.js';
import {
  exampleOf,
  startWebhooks,
  type DispatcherUnderTest,
  type WebhooksClient,
} from './dispatcher-under-test.js';

const longAgo = '2020-01-01T00:00:00Z';

describe('what was sent', () => {
  let webhooks: DispatcherUnderTest;
  let receiver: WebhookReceiver;
  let team: WebhooksClient;
  let subscriptionId: string;

  beforeAll(async () => {
    webhooks = await startWebhooks({ WEBHOOK_RETRY_SCHEDULE_MS: '0,50,50' });
  });

  beforeEach(async () => {
    team = webhooks.anotherTeam();
    receiver = await startReceiver();
    ({ id: subscriptionId } = await team.subscribe(receiver.url('/hook'), runCompleted.name));
  });

  afterEach(() => expectCountsRight(webhooks.database, team));

  afterEach(() => receiver?.close());

  afterAll(() => webhooks?.stop());

  const record = (count = 1) =>
    webhooks.runs.record(Array.from({ length: count }, () => exampleOf(runCompleted, team.teamId)));

  /** Records one and waits until it has ended. */
  async function send(status: 'delivered' | 'dead' | 'skipped'): Promise<Delivery> {
    const [id] = (await record()) as [string];
    const { delivery } = await eventually(() => team.reach(subscriptionId, id, status));
    return delivery;
  }

  const redeliver = (deliveryId: string, key?: string) =>
    team.call(redeliverWebhook, { params: { subscriptionId, deliveryId }, key });

  const replay = (body: object) => team.call(replayWebhooks, { params: { subscriptionId }, body });

  const enable = (enabled: boolean) =>
    team.succeed(updateWebhook, { params: { subscriptionId }, body: { enabled } });

  const timesSeen = (id: string) => receiver.received.filter((delivery) => delivery.id === id).length;

  /** Once nothing waits, how often each has come. */
  async function timesOf(deliveries: readonly Delivery[]): Promise<number[]> {
    await eventually(async () => {
      expect(await webhooks.database.query('SELECT id FROM webhook_dispatcher.delivery_replay')).toEqual([]);
      const query = { status: 'pending' };
      const { total } = await team.succeed(listWebhookDeliveries, { params: { subscriptionId }, query });
      expect(total).toBe(0);
    });
    return deliveries.map(({ id }) => timesSeen(id));
  }

  describe('and is dead', () => {
    it('comes again under the same id, with the whole schedule before it', async () => {
      receiver.behave((_delivery, times) => ({ status: times < 6 ? 500 : 200 }));
      const dead = await send('dead');
      const answer = await redeliver(dead.id);
      expect(answer).toMatchObject({
        status: 200,
        body: {
          deliveryId: dead.id,
          status: 'pending',
          delivery: { ...dead, status: 'pending', next_attempt_at: expect.any(String) },
        },
      });
      const { attempts, delivery } = await team.reach(subscriptionId, dead.id, 'delivered');
      expect(attempts.map(({ number, status_code: code }) => [number, code])).toEqual([
        [1, 500],
        [2, 500],
        [3, 500],
        [4, 500],
        [5, 500],
        [6, 200],
      ]);
      expect(delivery).toMatchObject({ attempts: 6, next_attempt_at: null });
      const bodies = new Set(receiver.received.map(({ rawBody }) => rawBody.toString()));
      expect(bodies.size).toBe(1);
    });

    it('dies again if it fails as often as before', async () => {
      receiver.behave(() => ({ status: 500 }));
      const { id } = await send('dead');
      await redeliver(id);
      await eventually(() => expect(timesSeen(id)).toBe(6));
      expect((await team.reach(subscriptionId, id, 'dead')).delivery.attempts).toBe(6);
    });
  });

  it('and was delivered comes again if it is asked for', async () => {
    const { id, delivered_at: first } = await send('delivered');
    await redeliver(id);
    const { delivery } = await eventually(async () => {
      expect(timesSeen(id)).toBe(2);
      return team.reach(subscriptionId, id, 'delivered');
    });
    expect(delivery.attempts).toBe(2);
    expect(delivery.delivered_at! >= first!).toBe(true);
  });

  it('comes again once for one Idempotency-Key', async () => {
    const delivery = await send('delivered');
    const first = await redeliver(delivery.id, 'again');
    expect(await redeliver(delivery.id, 'again')).toEqual({ ...first, replayed: true });
    expect(await timesOf([delivery])).toEqual([2]);
  });

  it('cannot be asked for where there is no such delivery', async () => {
    const { status, body } = await redeliver(uuidv7());
    expect([status, body.error]).toEqual([404, 'not_found']);
  });

  it('cannot be asked for while the webhook is disabled', async () => {
    const { id } = await send('delivered');
    await enable(false);
    for (const { status, body } of [await redeliver(id), await replay({ since: longAgo })]) {
      expect([status, body.error]).toEqual([409, 'invalid_state']);
    }
    expect(timesSeen(id)).toBe(1);
  });

  it('is replayed for a time: from its beginning on, and before its end', async () => {
    const sent: Delivery[] = [];
    for (let count = 0; count < 5; count += 1) sent.push(await send('delivered'));
    const [since, until] = [sent[1]!.created_at, sent[3]!.created_at];
    const { status, body } = await replay({ since, until });
    expect(status).toBe(200);
    expect(body).toEqual({
      success: true,
      subscriptionId,
      replay_id: expect.any(String),
      since,
      until,
      only_dead: false,
    });
    expect(await timesOf(sent)).toEqual([1, 2, 2, 1, 1]);
  });

  it('is replayed as far as it is dead', async () => {
    const delivered = [await send('delivered'), await send('delivered')];
    receiver.behave(() => ({ status: 500 }));
    const dead = [await send('dead'), await send('dead')];
    receiver.behave(() => ({ status: 200 }));
    expect((await replay({ since: longAgo, only_dead: true })).body).toMatchObject({ only_dead: true });
    expect(await timesOf([...delivered, ...dead])).toEqual([1, 1, 4, 4]);
    for (const { id } of dead) await team.reach(subscriptionId, id, 'delivered');
  });

  it('is not replayed while it waits for its next attempt', async () => {
    receiver.behave(({ id }, times) =>
      times > 1 || timesSeen(id) > 1 ? { status: 200 } : { status: 500, headers: { 'retry-after': '60' } },
    );
    const [id] = (await record()) as [string];
    const { delivery } = await eventually(async () => {
      const whole = await team.reach(subscriptionId, id, 'pending');
      expect(whole.attempts).toHaveLength(1);
      return whole;
    });
    await replay({ since: longAgo });
    await eventually(async () =>
      expect(await webhooks.database.query('SELECT id FROM webhook_dispatcher.delivery_replay')).toEqual([]),
    );
    expect((await team.reach(subscriptionId, id, 'pending')).delivery).toEqual(delivery);
  });

  it('and was skipped can be replayed once the webhook is enabled', async () => {
    await send('delivered');
    await enable(false);
    const skipped = [await send('skipped'), await send('skipped')];
    await enable(true);
    await replay({ since: skipped[0]!.created_at });
    expect(await timesOf(skipped)).toEqual([1, 1]);
    for (const { id } of skipped) await team.reach(subscriptionId, id, 'delivered');
  });

  it('and was skipped can be replayed though the webhook was never told anything before', async () => {
    await enable(false);
    // Its own queue is not there yet, only that of the change.
    await eventually(async () => {
      const queues = await webhooks.database.query(
        'DELETE FROM webhook_dispatcher.endpoint_queue WHERE id = $1 AND lease_token IS NULL RETURNING id',
        [subscriptionId],
      );
      expect(queues).toHaveLength(1);
    });
    const skipped = [await send('skipped'), await send('skipped')];
    await enable(true);
    await replay({ since: longAgo });
    expect(await timesOf(skipped)).toEqual([1, 1]);
  });

  it('is replayed whole, however much it is', async () => {
    await record(1_100);
    await eventually(() => expect(receiver.ids().size).toBe(1_100), { timeoutMs: 30_000 });
    await eventually(() => timesOf([]));
    await replay({ since: longAgo });
    await timesOf([]);
    expect(receiver.received).toHaveLength(2_200);
    expect([...receiver.ids()].filter((id) => timesSeen(id) !== 2)).toEqual([]);
  });

  it.each([
    ['no beginning', {}],
    ['a beginning that is no time', { since: 'yesterday' }],
    ['a beginning without a zone', { since: '2026-01-01T00:00:00' }],
    ['an end before its beginning', { since: '2026-01-02T00:00:00Z', until: '2026-01-01T00:00:00Z' }],
    ['no time at all', { since: '2026-01-01T00:00:00Z', until: '2026-01-01T00:00:00Z' }],
    ['a beginning that is still to come', { since: '2999-01-01T00:00:00Z' }],
  ])('cannot be replayed for a time with %s', async (_, body) => {
    const answer = await replay(body);
    expect([answer.status, answer.body.error]).toEqual([400, 'invalid_request']);
    expect(answer.body.message).toMatch(/^since\b/);
  });

  it('can be asked for while other events come, and nobody stands in another’s way', async () => {
    const sent: Delivery[] = [];
    for (let count = 0; count < 5; count += 1) sent.push(await send('delivered'));
    // More at once than there are connections; two hundred would wait longer for one than a busy machine lets them.
    const asked = Array.from({ length: 8 }, async () => {
      for (let round = 0; round < 5; round += 1) {
        const answers = await Promise.all(sent.map(({ id }) => redeliver(id)));
        expect(answers.map(({ status }) => status)).toEqual(sent.map(() => 200));
        if (round % 2 === 0) await replay({ since: longAgo });
      }
    });
    const recorded = Array.from({ length: 20 }, () => record(10));
    await Promise.all([...asked, ...recorded]);
    await eventually(() => expect(receiver.ids().size).toBe(205));
    await timesOf([]);
    const [database] = await webhooks.database.query<{ deadlocks: string }>(
      'SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()',
    );
    expect(database).toEqual({ deadlocks: '0' });
  });
});
