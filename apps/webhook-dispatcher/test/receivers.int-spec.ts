import {
  getWebhookSecret,
  humanRequestCreated,
  rotateWebhookSecret,
  runCompleted,
  runMessageCreated,
  runStarted,
} from '@aos/contracts';
import { eventually, startReceiver, type ReceivedDelivery, type WebhookReceiver } from '@aos/testing';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import Stripe from 'stripe';
import {
  exampleOf,
  startWebhooks,
  type DispatcherUnderTest,
  type WebhooksClient,
} from './dispatcher-under-test.js';

type Verify = (delivery: ReceivedDelivery, secret: string) => unknown;

const stripe = new Stripe('sk_test_nobody');

/** Libraries that others have written: they give the envelope, or throw. */
const receivers: readonly [name: string, verify: Verify][] = [
  [
    'stripe',
    ({ rawBody, headers }, secret) =>
      stripe.webhooks.constructEvent(rawBody, headers['x-service-signature'] as string, secret),
  ],
  [
    'standardwebhooks',
    ({ rawBody, headers }, secret) =>
      new StandardWebhook(secret).verify(rawBody, headers as Record<string, string>),
  ],
];

const difficult = 'Grüße, 世界 👋🏽 \u2028\u2029 "quoted" \\ </script> \t\n ́ \u{10FFFD}';

describe('a receiver', () => {
  let webhooks: DispatcherUnderTest;
  let receiver: WebhookReceiver;
  let team: WebhooksClient;

  beforeAll(async () => {
    webhooks = await startWebhooks({ WEBHOOK_RETRY_SCHEDULE_MS: '0,50,50,50' });
  });

  beforeEach(async () => {
    team = webhooks.anotherTeam();
    receiver = await startReceiver();
  });

  afterEach(() => receiver?.close());

  afterAll(() => webhooks?.stop());

  const secretNow = async () => (await team.succeed(getWebhookSecret)).secret;

  const rotate = async (overlap_seconds?: number) =>
    (await team.succeed(rotateWebhookSecret, { body: { overlap_seconds } })).secret;

  /** Records an event and gives its delivery, of one attempt. */
  async function deliver(result = 'done'): Promise<ReceivedDelivery> {
    const example = { ...runCompleted.example!, result };
    const [id] = await webhooks.runs.record([exampleOf(runCompleted, team.teamId, { data: example })]);
    return eventually(() => {
      const delivery = receiver.received.find((one) => one.id === id);
      if (!delivery) throw new Error(`${id} has not come`);
      return delivery;
    });
  }

  describe.each(receivers)('with the library %s', (_, verify) => {
    it('accepts every attempt of every delivery', async () => {
      const names = [runStarted, runCompleted, runMessageCreated, humanRequestCreated];
      await team.subscribe(receiver.url('/hook?a=1'), ...names.map(({ name }) => name));
      receiver.behave((_delivery, times) => ({ status: times < 3 ? 500 : 200 }));
      const ids = await webhooks.runs.record([
        ...names.map((event) => exampleOf(event, team.teamId)),
        exampleOf(runCompleted, team.teamId, { data: { ...runCompleted.example!, result: difficult } }),
      ]);
      await eventually(() => expect(receiver.received).toHaveLength(3 * ids.length));
      const secret = await secretNow();
      for (const delivery of receiver.received) {
        expect(verify(delivery, secret)).toEqual(JSON.parse(delivery.rawBody.toString()));
      }
      const [last] = receiver.received.filter(({ id }) => id === ids.at(-1));
      expect(verify(last!, secret)).toMatchObject({ data: { result: difficult } });
    });

    it('accepts the old secret and the new one while one replaces the other', async () => {
      await team.subscribe(receiver.url(), runCompleted.name);
      const old = await secretNow();
      const present = await rotate(3_600);
      const delivery = await deliver(difficult);
      expect(present).not.toBe(old);
      for (const secret of [old, present])
        expect(verify(delivery, secret)).toMatchObject({ id: delivery.id });
    });

    it('refuses the old secret once its time is over', async () => {
      await team.subscribe(receiver.url(), runCompleted.name);
      const old = await secretNow();
      const present = await rotate(3_600);
      await webhooks.database.query(
        `UPDATE webhook_dispatcher.webhook_secret SET previous_expires_at = now() WHERE team_id = $1`,
        [team.teamId],
      );
      const delivery = await deliver();
      expect(verify(delivery, present)).toMatchObject({ id: delivery.id });
      expect(() => verify(delivery, old)).toThrow();
    });

    it('refuses the old secret at once where no overlap was asked for', async () => {
      await team.subscribe(receiver.url(), runCompleted.name);
      const old = await secretNow();
      await rotate(3_600);
      const present = await rotate();
      const delivery = await deliver();
      expect(verify(delivery, present)).toMatchObject({ id: delivery.id });
      expect(() => verify(delivery, old)).toThrow();
    });

    it('refuses a changed byte, a wrong secret, and a delivery that comes too late', async () => {
      await team.subscribe(receiver.url(), runCompleted.name);
      const delivery = await deliver(difficult);
      const secret = await secretNow();
      expect(verify(delivery, secret)).toMatchObject({ id: delivery.id });
      for (let place = 0; place < delivery.rawBody.length; place += 7) {
        const rawBody = Buffer.from(delivery.rawBody);
        rawBody[place]! ^= 1;
        expect(() => verify({ ...delivery, rawBody }, secret)).toThrow(/signature/i);
      }
      const { secret: foreign } = await webhooks.anotherTeam().succeed(getWebhookSecret);
      expect(() => verify(delivery, foreign)).toThrow(/signature/i);
      expect(later(240_000, () => verify(delivery, secret))).toMatchObject({ id: delivery.id });
      expect(() => later(302_000, () => verify(delivery, secret))).toThrow(/timestamp/i);
    });
  });

  it('gets the very same bytes under the same id at each attempt, with the time of that attempt', async () => {
    const { id: subscriptionId } = await team.subscribe(receiver.url('/hook'), runCompleted.name);
    receiver.behave((_delivery, times) => ({ status: times < 4 ? 503 : 200 }));
    const { id } = await deliver(difficult);
    const { attempts } = await team.reach(subscriptionId, id, 'delivered');
    expect(receiver.received).toHaveLength(4);
    const [first, ...others] = receiver.received as [ReceivedDelivery, ...ReceivedDelivery[]];
    for (const other of others) expect(other.rawBody.equals(first.rawBody)).toBe(true);
    receiver.received.forEach(({ headers }, index) => {
      const seconds = Math.floor(Date.parse(attempts[index]!.attempted_at) / 1_000);
      expect(headers).toMatchObject({
        'content-type': 'application/json',
        'x-service-event': 'run.completed',
        'x-service-delivery': id,
        'x-service-signature': expect.stringMatching(new RegExp(`^t=${seconds},v1=[0-9a-f]{64}$`)),
        'webhook-id': id,
        'webhook-timestamp': String(seconds),
      });
    });
  });

  it('gets id, event, created_at and data, and nothing that is for the services alone', async () => {
    await team.subscribe(receiver.url('/hook'), runCompleted.name);
    const { id, rawBody } = await deliver();
    const envelope = JSON.parse(rawBody.toString()) as { created_at: string };
    expect(Object.keys(envelope)).toEqual(['id', 'event', 'created_at', 'data']);
    expect(envelope).toEqual({
      id,
      event: 'run.completed',
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      data: { ...runCompleted.example, result: 'done' },
    });
  });
});

/** Both libraries ask this clock. */
function later<T>(ms: number, work: () => T): T {
  const now = Date.now;
  Date.now = () => now() + ms;
  try {
    return work();
  } finally {
    Date.now = now;
  }
}
