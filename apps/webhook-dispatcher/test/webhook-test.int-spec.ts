import {
  getWebhook,
  getWebhookSecret,
  listEvents,
  listWebhookDeliveries,
  publicEvents,
  runFailed,
  runStarted,
  testWebhook,
  updateWebhook,
} from '@aos/contracts';
import { startReceiver, type WebhookReceiver } from '@aos/testing';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { startWebhooks, type DispatcherUnderTest, type WebhooksClient } from './dispatcher-under-test.js';

describe('the test of a webhook', () => {
  let webhooks: DispatcherUnderTest;
  let receiver: WebhookReceiver;
  let team: WebhooksClient;

  beforeAll(async () => {
    webhooks = await startWebhooks({ WEBHOOK_TIMEOUT_MS: '1000' });
  });

  beforeEach(async () => {
    team = webhooks.anotherTeam();
    receiver = await startReceiver();
  });

  afterEach(() => receiver?.close());

  afterAll(() => webhooks?.stop());

  it('sends the example of its first event, signed as a delivery is, and tells of its success', async () => {
    const { id: subscriptionId } = await team.subscribe(
      receiver.url('/hook'),
      runFailed.name,
      runStarted.name,
    );
    receiver.behave(() => ({ status: 202, body: 'Thanks.' }));
    const answer = await team.succeed(testWebhook, { params: { subscriptionId } });
    const [delivery, ...more] = receiver.received;
    expect(more).toEqual([]);
    expect(answer).toEqual({
      subscriptionId,
      success: true,
      event: 'run.failed',
      delivery_id: delivery!.id,
      status_code: 202,
      duration_ms: expect.any(Number),
      error: null,
      response_body: 'Thanks.',
    });
    const { secret } = await team.succeed(getWebhookSecret);
    const { rawBody, headers } = delivery!;
    expect(new StandardWebhook(secret).verify(rawBody, headers as Record<string, string>)).toEqual({
      id: answer.delivery_id,
      event: 'run.failed',
      created_at: expect.any(String),
      data: { ...runFailed.example, test: true },
    });
  });

  it.each(publicEvents.map(({ name }) => name))('has an example of %s', async (name) => {
    const { id: subscriptionId } = await team.subscribe(receiver.url(), name);
    const { success, event } = await team.succeed(testWebhook, { params: { subscriptionId } });
    expect({ success, event }).toEqual({ success: true, event: name });
    expect(JSON.parse(receiver.received[0]!.rawBody.toString())).toMatchObject({ event: name });
  });

  it.each([
    ['refuses it', { status: 503, body: 'Busy.' }, 503, 'status 503', 'Busy.'],
    ['sends it elsewhere', { status: 302, headers: { location: '/elsewhere' } }, 302, 'status 302', ''],
    ['says that it is gone', { status: 410 }, 410, 'status 410', ''],
    ['never answers', 'hang', null, 'not complete within', null],
    ['breaks off', 'reset', null, 'broke off', null],
    ['speaks nonsense', 'garbage', null, 'not valid HTTP', null],
  ] as const)('tells what came of it where the receiver %s', async (_, behaviour, status, reason, text) => {
    const { id: subscriptionId } = await team.subscribe(receiver.url(), runStarted.name);
    receiver.behave(() => behaviour);
    const answer = await team.succeed(testWebhook, { params: { subscriptionId } });
    expect(answer).toMatchObject({ success: false, status_code: status, response_body: text });
    expect(answer.error).toContain(reason);
    expect(receiver.received).toHaveLength(1);
  });

  it('tells that nobody is there', async () => {
    const { id: subscriptionId } = await team.subscribe(receiver.url(), runStarted.name);
    await receiver.down();
    const answer = await team.succeed(testWebhook, { params: { subscriptionId } });
    expect(answer).toMatchObject({
      success: false,
      status_code: null,
      error: expect.stringMatching(/^The connection was refused\. Check the host/),
    });
    await receiver.up();
  });

  it('leaves nothing behind, and changes nothing, however it ends', async () => {
    const { id: subscriptionId } = await team.subscribe(receiver.url(), runStarted.name);
    const params = { subscriptionId };
    const before = await team.succeed(getWebhook, { params });
    for (const status of [200, 500, 410]) {
      receiver.behave(() => ({ status }));
      await team.succeed(testWebhook, { params });
    }
    expect(receiver.received).toHaveLength(3);
    expect(await team.succeed(getWebhook, { params })).toEqual(before);
    expect(await team.succeed(listWebhookDeliveries, { params })).toMatchObject({ deliveries: [], total: 0 });
    expect(await team.succeed(listEvents)).toMatchObject({ events: [] });
    const stored = await webhooks.database.query(
      `SELECT id FROM webhook_dispatcher.endpoint_queue WHERE team_id = $1`,
      [team.teamId],
    );
    expect(stored).toEqual([]);
  });

  it('is made once for one Idempotency-Key', async () => {
    const { id: subscriptionId } = await team.subscribe(receiver.url(), runStarted.name);
    const first = await team.call(testWebhook, { params: { subscriptionId }, key: 'once' });
    const again = await team.call(testWebhook, { params: { subscriptionId }, key: 'once' });
    expect(again).toEqual({ ...first, replayed: true });
    expect(receiver.received).toHaveLength(1);
  });

  it('can be made while the webhook is disabled', async () => {
    const { id: subscriptionId } = await team.subscribe(receiver.url(), runStarted.name);
    await team.succeed(updateWebhook, { params: { subscriptionId }, body: { enabled: false } });
    const { success } = await team.succeed(testWebhook, { params: { subscriptionId } });
    expect(success).toBe(true);
  });
});
