import { getWebhook, getWebhookDelivery, runCompleted, updateWebhook } from '@aos/contracts';
import { eventually, startReceiver, type ReceiverAnswer, type WebhookReceiver } from '@aos/testing';
import { expectCountsRight } from './delivery-counts.js';
import {
  exampleOf,
  startWebhooks,
  type DispatcherUnderTest,
  type WebhooksClient,
} from './dispatcher-under-test.js';

const attemptsInAll = 4;

describe('a delivery that fails', () => {
  let webhooks: DispatcherUnderTest;
  let receiver: WebhookReceiver;
  let team: WebhooksClient;
  let subscriptionId: string;

  beforeAll(async () => {
    webhooks = await startWebhooks({
      WEBHOOK_RETRY_SCHEDULE_MS: '0,100,100,100',
      WEBHOOK_TIMEOUT_MS: '1000',
    });
  });

  beforeEach(async () => {
    team = webhooks.anotherTeam();
    receiver = await startReceiver();
    ({ id: subscriptionId } = await team.subscribe(receiver.url('/hook'), runCompleted.name));
  });

  afterEach(() => expectCountsRight(webhooks.database, team));

  afterEach(() => receiver?.close());

  afterAll(() => webhooks?.stop());

  async function record(): Promise<string> {
    const [id] = (await webhooks.runs.record([exampleOf(runCompleted, team.teamId)])) as [string];
    return id;
  }

  const webhook = async () => (await team.succeed(getWebhook, { params: { subscriptionId } })).webhook;

  const attemptsOf = async (deliveryId: string) =>
    (await team.succeed(getWebhookDelivery, { params: { subscriptionId, deliveryId } })).attempts;

  it('is tried again until it succeeds, and every attempt is told', async () => {
    receiver.behave((_delivery, times) =>
      times < 3 ? { status: 500 + times, body: `Not yet: ${times}` } : { status: 201, body: 'At last.' },
    );
    const id = await record();
    const { delivery, attempts } = await team.reach(subscriptionId, id, 'delivered');
    expect(delivery).toMatchObject({ id, attempts: 3, next_attempt_at: null });
    expect(attempts).toEqual([
      attempt(
        1,
        501,
        'The receiver answered with status 501. Look at the logs of the receiver.',
        'Not yet: 1',
      ),
      attempt(
        2,
        502,
        'The receiver answered with status 502. Look at the logs of the receiver.',
        'Not yet: 2',
      ),
      attempt(3, 201, null, 'At last.'),
    ]);
    const moments = attempts.map(({ attempted_at }) => Date.parse(attempted_at));
    // Each waits for what the schedule says, less a tenth.
    expect(moments[1]! - moments[0]!).toBeGreaterThanOrEqual(90);
    expect(moments[2]! - moments[1]!).toBeGreaterThanOrEqual(90);
    expect(Date.parse(delivery.delivered_at!)).toBeGreaterThanOrEqual(moments[2]!);
    expect(await webhook()).toMatchObject({
      last_delivery_at: delivery.delivered_at,
      consecutive_failures: 0,
      enabled: true,
    });
  });

  it('waits for its next attempt meanwhile', async () => {
    receiver.behave(() => ({ status: 500, headers: { 'retry-after': '60' } }));
    const id = await record();
    const { delivery, attempts } = await eventually(async () => {
      const whole = await team.reach(subscriptionId, id, 'pending');
      expect(whole.attempts).toHaveLength(1);
      return whole;
    });
    expect(delivery).toMatchObject({ status: 'pending', attempts: 1, delivered_at: null });
    expect(endOf(attempts[0]!)).toBeLessThan(Date.parse(delivery.next_attempt_at!));
    expect(await webhook()).toMatchObject({ consecutive_failures: 1, last_delivery_at: null });
  });

  it('is dead after the last attempt, and comes no more', async () => {
    receiver.behave(() => ({ status: 500 }));
    const id = await record();
    const { delivery, attempts } = await team.reach(subscriptionId, id, 'dead');
    expect(delivery).toMatchObject({ attempts: attemptsInAll, next_attempt_at: null, delivered_at: null });
    expect(attempts.map(({ number }) => number)).toEqual([1, 2, 3, 4]);
    expect(await webhook()).toMatchObject({ consecutive_failures: attemptsInAll, enabled: true });
    // Another one comes and goes; the dead one stays away.
    receiver.behave(() => ({ status: 200 }));
    await team.reach(subscriptionId, await record(), 'delivered');
    expect(receiver.received.filter((one) => one.id === id)).toHaveLength(attemptsInAll);
    expect(await webhook()).toMatchObject({ consecutive_failures: 0 });
  });

  it.each<[string, ReceiverAnswer, RegExp]>([
    ['does not answer in time', 'hang', /^The answer was not complete within 1000 ms\. Answer at once/],
    ['resets the connection', 'reset', /^The connection broke off/],
    ['answers with something that is not HTTP', 'garbage', /^The answer is not valid HTTP\. Check that/],
  ])('counts as failed where the receiver %s', async (_, behaviour, error) => {
    receiver.behave((_delivery, times) => (times < 2 ? behaviour : { status: 200 }));
    const { attempts } = await team.reach(subscriptionId, await record(), 'delivered');
    expect(attempts).toEqual([
      attempt(1, null, expect.stringMatching(error), null),
      attempt(2, 200, null, ''),
    ]);
  });

  it('counts as failed where nobody listens', async () => {
    await receiver.down();
    const id = await record();
    await eventually(async () => expect(await attemptsOf(id)).not.toHaveLength(0));
    await receiver.up();
    const { attempts } = await team.reach(subscriptionId, id, 'delivered');
    expect(attempts[0]).toEqual(
      attempt(1, null, expect.stringMatching(/^The connection was refused\. Check the host/), null),
    );
    expect(attempts.at(-1)).toEqual(attempt(attempts.length, 200, null, ''));
  });

  it.each([301, 302, 303, 307, 308])('does not follow a redirect with status %i', async (status) => {
    const target = await startReceiver();
    const location = target.url('/elsewhere');
    receiver.behave((_delivery, times) => (times < 2 ? { status, headers: { location } } : { status: 200 }));
    const { attempts } = await team.reach(subscriptionId, await record(), 'delivered');
    expect(attempts.map(({ status_code: code }) => code)).toEqual([status, 200]);
    expect(target.received).toEqual([]);
    await target.close();
  });

  it.each([
    ['the first KiB of a long one', 'x'.repeat(5_000), 'x'.repeat(1_024)],
    [
      'a character that is cut becomes a sign for that',
      `${'x'.repeat(1_023)}ä`,
      `${'x'.repeat(1_023)}\uFFFD`,
    ],
    ['NUL bytes become signs too', 'a\u0000b\u0000', 'a\uFFFDb\uFFFD'],
    ['texts of all the world stay', 'Grüße, 世界 👋', 'Grüße, 世界 👋'],
  ])('keeps of an answer what can be kept: %s', async (_, body, kept) => {
    receiver.behave(() => ({ status: 200, body }));
    const { attempts } = await team.reach(subscriptionId, await record(), 'delivered');
    expect(attempts).toEqual([attempt(1, 200, null, kept)]);
  });

  it.each([
    ['seconds', () => '120', 120_000],
    ['a date', () => new Date(Date.now() + 120_000).toUTCString(), 110_000],
    ['more than an hour, which counts as an hour', () => '7200', 3_600_000],
  ])('waits as long as the receiver asks for: %s', async (_, header, minMs) => {
    receiver.behave(() => ({ status: 429, headers: { 'retry-after': header() } }));
    const id = await record();
    const { delivery, attempts } = await eventually(async () => {
      const whole = await team.reach(subscriptionId, id, 'pending');
      expect(whole.attempts).toHaveLength(1);
      return whole;
    });
    const waitMs = Date.parse(delivery.next_attempt_at!) - endOf(attempts[0]!);
    expect(waitMs).toBeGreaterThanOrEqual(minMs);
    expect(waitMs).toBeLessThanOrEqual(3_600_000);
  });

  it('goes to the address that the webhook has by then', async () => {
    const other = await startReceiver();
    receiver.behave(() => ({ status: 500, headers: { 'retry-after': '1' } }));
    const id = await record();
    await eventually(async () => expect(await attemptsOf(id)).toHaveLength(1));
    const body = { url: other.url('/moved') };
    const { webhook: moved } = await team.succeed(updateWebhook, { params: { subscriptionId }, body });
    expect(moved).toMatchObject({ ...body, consecutive_failures: 0 });
    await team.reach(subscriptionId, id, 'delivered');
    expect(other.received.map(({ path }) => path)).toEqual(['/moved']);
    await other.close();
  });

  it('is not in the way of others', async () => {
    // The one that comes first.
    receiver.behave(({ id }) => ({ status: id === receiver.received[0]!.id ? 500 : 200 }));
    const bad = await record();
    await eventually(() => expect(receiver.received).not.toHaveLength(0));
    const good = await Promise.all([record(), record(), record()]);
    for (const id of good) await team.reach(subscriptionId, id, 'delivered');
    await team.reach(subscriptionId, bad, 'dead');
  });
});

function attempt(number: number, code: number | null, error: unknown, body: string | null): object {
  return {
    number,
    attempted_at: expect.stringMatching(/Z$/),
    status_code: code,
    duration_ms: expect.any(Number),
    error,
    response_body: body,
  };
}

function endOf({ attempted_at, duration_ms }: { attempted_at: string; duration_ms: number }): number {
  return Date.parse(attempted_at) + duration_ms;
}
