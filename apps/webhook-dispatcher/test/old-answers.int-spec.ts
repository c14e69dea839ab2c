import { runCompleted } from '@aos/contracts';
import { eventually, startReceiver, type WebhookReceiver } from '@aos/testing';
import { EndpointQueuesRepository } from '../src/endpoint-queues/endpoint-queues.repository.js';
import { OutcomeWriter } from '../src/sending/outcome-writer.js';
import { exampleOf, startWebhooks, type DispatcherUnderTest } from './dispatcher-under-test.js';

/**
 * A sender reads its queue while it stores what came of the last attempt. On a busy machine the answer to the one, read
 * before the other was stored, is seen after it.
 */
describe('an answer of the database that is older than the outcome which disabled a webhook', () => {
  let webhooks: DispatcherUnderTest;
  let receiver: WebhookReceiver;
  let late = 0;

  beforeAll(async () => {
    receiver = await startReceiver();
    webhooks = await startWebhooks();
    const { app } = webhooks.running;
    const [queues, outcomes] = [app.get(EndpointQueuesRepository), app.get(OutcomeWriter)];
    const [page, add] = [queues.page.bind(queues), outcomes.add.bind(outcomes)];
    let stored = Promise.resolve();
    let read: () => void = () => undefined;
    // An outcome is stored once the queue was read, and the answer to that is held back until then.
    outcomes.add = async (ended) => {
      await new Promise<void>((resolve) => (read = resolve));
      await (stored = add(ended));
    };
    queues.page = async (queue, limit, underWay) => {
      const answer = await page(queue, limit, underWay);
      if (underWay.length === 0) return answer;
      late += 1;
      read();
      await new Promise(setImmediate);
      await stored;
      await new Promise(setImmediate);
      return answer;
    };
  });

  afterAll(async () => {
    await webhooks?.stop();
    await receiver?.close();
  });

  it('does not let its deliveries wait for their time', async () => {
    const { id } = await webhooks.subscribe(receiver.url(), runCompleted.name);
    const record = async () => {
      const [event] = await webhooks.runs.record([exampleOf(runCompleted, webhooks.teamId)]);
      return event!;
    };
    receiver.behave(() => ({ status: 503, headers: { 'retry-after': '1800' } }));
    const waiting = await record();
    await eventually(() => expect(receiver.received).toHaveLength(1));
    receiver.behave(() => ({ status: 410 }));
    await webhooks.reach(id, await record(), 'dead');
    await webhooks.reach(id, waiting, 'skipped');
    expect(late).toBeGreaterThan(0);
  });
});
