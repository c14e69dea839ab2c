import { runCompleted } from '@aos/contracts';
import { eventually, startReceiver, type WebhookReceiver } from '@aos/testing';
import { OutcomeWriter } from '../src/sending/outcome-writer.js';
import { expectCountsRight } from './delivery-counts.js';
import { storedDelivery } from './dispatcher-processes.js';
import { exampleOf, startWebhooks, type DispatcherUnderTest } from './dispatcher-under-test.js';

describe('a dispatcher whose lease another took', () => {
  let webhooks: DispatcherUnderTest;
  let receiver: WebhookReceiver;

  beforeAll(async () => {
    [webhooks, receiver] = await Promise.all([startWebhooks(), startReceiver()]);
  });

  afterAll(async () => {
    await webhooks?.stop();
    await receiver?.close();
  });

  const lease = (queueId: string, until: string) =>
    webhooks.database.query(
      `UPDATE webhook_dispatcher.endpoint_queue
          SET lease_token = gen_random_uuid(), lease_until = now() + $2::interval WHERE id = $1`,
      [queueId, until],
    );

  it('stores no outcome, and the delivery is sent again under the next lease', async () => {
    const outcomes = webhooks.running.app.get(OutcomeWriter);
    const add = outcomes.add.bind(outcomes);
    let isWritten = false;
    // The lease is taken between the answer of the receiver and the write of the outcome.
    outcomes.add = async (ended) => {
      outcomes.add = add;
      await lease(ended.queue.id, '1 hour');
      await add(ended);
      isWritten = true;
    };
    const { id: subscriptionId } = await webhooks.subscribe(receiver.url(), runCompleted.name);
    const [id] = (await webhooks.runs.record([exampleOf(runCompleted, webhooks.teamId)])) as [string];
    await eventually(() => expect(isWritten).toBe(true));
    expect(await storedDelivery(webhooks.database, id)).toMatchObject([
      { delivery: { status: 'pending', attempts: 0 }, attempts: null },
    ]);

    await lease(subscriptionId, '-1 second');
    await webhooks.reach(subscriptionId, id, 'delivered');
    expect(await storedDelivery(webhooks.database, id)).toMatchObject([
      { delivery: { attempts: 1 }, attempts: [{ number: 1, status_code: 200 }] },
    ]);
    expect(receiver.received.filter((one) => one.id === id)).toHaveLength(2);
    await expectCountsRight(webhooks.database, webhooks);
  });
});
