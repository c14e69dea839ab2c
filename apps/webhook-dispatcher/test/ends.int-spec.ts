import {
  deleteWebhook,
  getWebhook,
  getWebhookDelivery,
  runCompleted,
  updateWebhook,
  type DeliveryStatus,
} from '@aos/contracts';
import { eventually, startReceiver, type ReceiverAnswer, type WebhookReceiver } from '@aos/testing';
import { expectCountsRight } from './delivery-counts.js';
import {
  exampleOf,
  startWebhooks,
  type DispatcherUnderTest,
  type WebhooksClient,
} from './dispatcher-under-test.js';

const later: ReceiverAnswer = { status: 503, headers: { 'retry-after': '1800' } };
const disableAfterHours = 48;

describe('a webhook', () => {
  let webhooks: DispatcherUnderTest;
  let receiver: WebhookReceiver;
  let team: WebhooksClient;
  let subscriptionId: string;

  beforeAll(async () => {
    webhooks = await startWebhooks({
      WEBHOOK_RETRY_SCHEDULE_MS: '0,50,50',
      WEBHOOK_TIMEOUT_MS: '1000',
      WEBHOOK_DISABLE_AFTER_HOURS: String(disableAfterHours),
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

  const record = (count = 1) =>
    webhooks.runs.record(Array.from({ length: count }, () => exampleOf(runCompleted, team.teamId)));

  const webhook = async () => (await team.succeed(getWebhook, { params: { subscriptionId } })).webhook;

  const update = (body: object) => team.succeed(updateWebhook, { params: { subscriptionId }, body });

  const remove = () => team.succeed(deleteWebhook, { params: { subscriptionId } });

  async function reachAll(ids: readonly string[], status: DeliveryStatus): Promise<void> {
    for (const id of ids) await team.reach(subscriptionId, id, status);
  }

  /** Records some that the receiver does not want yet: they wait for half an hour. */
  async function leaveWaiting(count: number): Promise<string[]> {
    receiver.behave(() => later);
    const ids = await record(count);
    for (const deliveryId of ids) {
      await eventually(async () => {
        const params = { subscriptionId, deliveryId };
        expect((await team.succeed(getWebhookDelivery, { params })).attempts).toHaveLength(1);
      });
    }
    return ids;
  }

  /** Of a webhook that may be gone. */
  const statuses = async (ids: readonly string[]) => {
    const rows = await webhooks.database.query<{ status: string }>(
      'SELECT status FROM webhook_dispatcher.delivery WHERE event_id = ANY ($1) ORDER BY event_id',
      [ids],
    );
    return rows.map(({ status }) => status);
  };

  /** Events go to another webhook of the team too: once they are there, they are not on their way to this one. */
  async function arriveElsewhere(ids: readonly string[], elsewhere: WebhookReceiver): Promise<void> {
    await eventually(() => expect([...elsewhere.ids()]).toEqual(expect.arrayContaining([...ids])));
  }

  it('whose receiver says that it is gone is disabled; what waits and what comes is skipped', async () => {
    const waiting = await leaveWaiting(3);
    receiver.behave(() => ({ status: 410, body: 'Gone.' }));
    const [last] = (await record()) as [string];
    const { attempts } = await team.reach(subscriptionId, last, 'dead');
    expect(attempts).toEqual([
      expect.objectContaining({ number: 1, status_code: 410, response_body: 'Gone.' }),
    ]);
    await eventually(async () =>
      expect(await webhook()).toMatchObject({
        enabled: false,
        disabled_reason: 'The receiver answered with status 410.',
      }),
    );
    await reachAll(waiting, 'skipped');
    const seen = receiver.received.length;
    await reachAll(await record(2), 'skipped');
    expect(receiver.received).toHaveLength(seen);
  });

  it('is told again once it is enabled, and starts without its failures', async () => {
    receiver.behave(() => ({ status: 410 }));
    await reachAll(await record(), 'dead');
    await eventually(async () => expect((await webhook()).enabled).toBe(false));
    receiver.behave(() => ({ status: 200 }));
    const { webhook: enabled } = await update({ enabled: true });
    expect(enabled).toMatchObject({ enabled: true, disabled_reason: null, consecutive_failures: 0 });
    await reachAll(await record(), 'delivered');
  });

  it('that its team disables is told nothing more: what waits is skipped', async () => {
    const waiting = await leaveWaiting(5);
    await update({ enabled: false });
    await reachAll(waiting, 'skipped');
    const { delivery } = await team.reach(subscriptionId, waiting[0]!, 'skipped');
    expect(delivery).toMatchObject({ attempts: 1, next_attempt_at: null, delivered_at: null });
    await reachAll(await record(2), 'skipped');
    expect(receiver.received).toHaveLength(5);
  });

  it('that its team disables ends what is under way as it ends', async () => {
    receiver.behave(() => ({ status: 200, delayMs: 300 }));
    const ids = await record(3);
    await eventually(() => expect(receiver.received).toHaveLength(3));
    await update({ enabled: false });
    await reachAll(ids, 'delivered');
    expect(await webhook()).toMatchObject({ enabled: false, disabled_reason: 'Disabled by the team.' });
  });

  it('that is deleted is told nothing more: what waits is dropped', async () => {
    const waiting = await leaveWaiting(5);
    await remove();
    await eventually(async () => expect(await statuses(waiting)).toEqual(waiting.map(() => 'dropped')));
    const [row] = await webhooks.database.query(
      'SELECT next_attempt_at FROM webhook_dispatcher.delivery WHERE event_id = $1',
      [waiting[0]],
    );
    expect(row).toEqual({ next_attempt_at: null });

    const elsewhere = await startReceiver();
    await team.subscribe(elsewhere.url(), runCompleted.name);
    const after = await record(3);
    await arriveElsewhere(after, elsewhere);
    expect(receiver.received).toHaveLength(5);
    await elsewhere.close();
  });

  it('that is deleted under load gets nothing once all that was under way has ended', async () => {
    receiver.behave(() => ({ status: 200, delayMs: 20 }));
    const ids = await record(300);
    await eventually(() => expect(receiver.received.length).toBeGreaterThan(20));
    await remove();
    await eventually(async () => expect(await statuses(ids)).not.toContain('pending'));
    const ends = await statuses(ids);
    expect(ends).toContain('dropped');
    // Those that came and those that were dropped are all there is.
    expect(ends.filter((status) => status === 'delivered')).toHaveLength(receiver.received.length);
    expect(new Set(ends)).toEqual(new Set(['delivered', 'dropped']));
  });

  describe('that has failed for too long', () => {
    const failSince = (hours: number) =>
      webhooks.database.query(
        `UPDATE webhook_dispatcher.webhook_subscription SET failing_since = now() - make_interval(hours => $2)
          WHERE id = $1`,
        [subscriptionId, hours],
      );

    it('is disabled by the next failure', async () => {
      const waiting = await leaveWaiting(2);
      await failSince(disableAfterHours + 1);
      const ids = await record();
      await eventually(async () =>
        expect(await webhook()).toMatchObject({
          enabled: false,
          disabled_reason: 'All deliveries have failed for a long time.',
        }),
      );
      await reachAll([...waiting, ...ids], 'skipped');
    });

    it('is not disabled before', async () => {
      await leaveWaiting(1);
      await failSince(disableAfterHours - 1);
      await leaveWaiting(1);
      expect(await webhook()).toMatchObject({ enabled: true, consecutive_failures: 2 });
    });

    it('is not disabled if it takes a delivery before', async () => {
      await leaveWaiting(1);
      await failSince(disableAfterHours + 1);
      receiver.behave(() => ({ status: 200 }));
      await reachAll(await record(), 'delivered');
      await leaveWaiting(2);
      expect(await webhook()).toMatchObject({ enabled: true, consecutive_failures: 2 });
    });

    it('is not disabled once its team has enabled it, or moved it', async () => {
      for (const change of [{ enabled: true }, { url: receiver.url('/moved') }]) {
        await leaveWaiting(1);
        await failSince(disableAfterHours + 1);
        if (change.enabled) await update({ enabled: false });
        await update(change);
        await leaveWaiting(1);
        expect(await webhook()).toMatchObject({ enabled: true, consecutive_failures: 1 });
      }
    });
  });
});
