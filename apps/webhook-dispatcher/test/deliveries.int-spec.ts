import { getWebhookDelivery, listWebhookDeliveries, runCompleted, runStarted } from '@aos/contracts';
import { eventually, startReceiver, type WebhookReceiver } from '@aos/testing';
import { exampleOf, startWebhooks, type DispatcherUnderTest } from './dispatcher-under-test.js';

describe('deliveries', () => {
  let webhooks: DispatcherUnderTest;
  let receiver: WebhookReceiver;

  beforeAll(async () => {
    [webhooks, receiver] = await Promise.all([startWebhooks(), startReceiver()]);
  });

  afterAll(async () => {
    await webhooks?.stop();
    await receiver?.close();
  });

  it('bring what was asked for, and are told with their attempts', async () => {
    const { id: subscriptionId } = await webhooks.subscribe(receiver.url('/hook'), runCompleted.name);
    const { teamId } = webhooks;
    const [, wanted] = await webhooks.runs.record([
      exampleOf(runStarted, teamId),
      exampleOf(runCompleted, teamId),
    ]);
    await eventually(() => expect(receiver.received.map(({ id }) => id)).toEqual([wanted]));
    const [delivery] = receiver.received;
    const params = { subscriptionId };
    await eventually(async () => {
      const { deliveries, total } = await webhooks.succeed(listWebhookDeliveries, { params });
      expect(deliveries).toEqual([
        expect.objectContaining({ id: wanted, event: 'run.completed', status: 'delivered', attempts: 1 }),
      ]);
      expect(total).toBe(1);
    });
    const whole = await webhooks.succeed(getWebhookDelivery, { params: { ...params, deliveryId: wanted! } });
    expect(whole.payload).toEqual(JSON.parse(delivery!.rawBody.toString()));
    expect(whole.attempts).toEqual([expect.objectContaining({ number: 1, status_code: 200, error: null })]);
  });
});
