import { setTimeout as delay } from 'node:timers/promises';
import { runCompleted } from '@aos/contracts';
import { eventually, startReceiver, type WebhookReceiver } from '@aos/testing';
import { exampleOf, startWebhooks, type DispatcherUnderTest } from './dispatcher-under-test.js';

const rounds = 40;
const maxGapMs = 80;

describe('a queue that was just let go', () => {
  let webhooks: DispatcherUnderTest;
  let receiver: WebhookReceiver;

  beforeAll(async () => {
    receiver = await startReceiver();
    webhooks = await startWebhooks();
    // New events take long to commit: whoever lets go of the queue meanwhile does not see them.
    await webhooks.database.query(
      `CREATE FUNCTION webhook_dispatcher.dawdle() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
         PERFORM pg_sleep(0.03);
         RETURN NULL;
       END $$`,
    );
    await webhooks.database.query(
      `CREATE CONSTRAINT TRIGGER dawdle AFTER INSERT ON webhook_dispatcher.feed_event
         DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION webhook_dispatcher.dawdle()`,
    );
  });

  afterAll(async () => {
    await webhooks?.stop();
    await receiver?.close();
  });

  it('is taken up again for what came at that very moment', async () => {
    await webhooks.subscribe(receiver.url(), runCompleted.name);
    const record = async () => {
      const [id] = (await webhooks.runs.record([exampleOf(runCompleted, webhooks.teamId)])) as [string];
      return id;
    };
    for (let round = 0; round < rounds; round += 1) {
      const first = await record();
      await delay((round / rounds) * maxGapMs);
      const second = await record();
      await eventually(() => expect([...receiver.ids()]).toEqual(expect.arrayContaining([first, second])));
    }
  });
});
