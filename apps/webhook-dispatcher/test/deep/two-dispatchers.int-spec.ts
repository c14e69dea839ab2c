import { runCompleted } from '@aos/contracts';
import type { RunningService } from '@aos/service';
import { eventually, startReceiver, type WebhookReceiver } from '@aos/testing';
import { wrongCounts } from '../delivery-counts.js';
import {
  exampleOf,
  startDispatcher,
  startWebhooks,
  type DispatcherUnderTest,
} from '../dispatcher-under-test.js';

const eventCount = 600;
const batchSize = 20;
const webhookCount = 4;

describe('two dispatchers', () => {
  let webhooks: DispatcherUnderTest;
  let other: RunningService;
  let receiver: WebhookReceiver;

  beforeAll(async () => {
    receiver = await startReceiver();
    webhooks = await startWebhooks({ WEBHOOK_RETRY_SCHEDULE_MS: '0,50,50,50' });
    other = await startDispatcher(webhooks.environment);
    await logLeases();
  });

  afterAll(async () => {
    await other?.close();
    await webhooks?.stop();
    await receiver?.close();
  });

  /** Notes every time that a queue is taken from somebody whose lease has not run out, and who has it. */
  async function logLeases(): Promise<void> {
    await webhooks.database.query(`
      CREATE TABLE webhook_dispatcher.queue_log (queue_id uuid, token uuid, too_early boolean)`);
    await webhooks.database.query(`
      CREATE FUNCTION webhook_dispatcher.note_lease() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF NEW.lease_token IS NOT NULL AND NEW.lease_token IS DISTINCT FROM OLD.lease_token THEN
          INSERT INTO webhook_dispatcher.queue_log
          VALUES (NEW.id, NEW.lease_token, OLD.lease_token IS NOT NULL AND OLD.lease_until > now());
        END IF;
        RETURN NEW;
      END $$`);
    await webhooks.database.query(`
      CREATE TRIGGER note_lease BEFORE UPDATE ON webhook_dispatcher.endpoint_queue
         FOR EACH ROW EXECUTE FUNCTION webhook_dispatcher.note_lease()`);
  }

  it('send everything once as long as nobody dies, each queue by one of them at a time', async () => {
    const targets: string[] = [];
    for (let count = 0; count < webhookCount; count += 1) {
      targets.push((await webhooks.subscribe(receiver.url(`/${count}`), runCompleted.name)).id);
    }
    // One of the receivers refuses each for the first time.
    const refused = new Set<string>();
    receiver.behave(({ id, path }) => {
      if (path !== '/0' || refused.has(id)) return { status: 200, delayMs: path === '/1' ? 10 : undefined };
      refused.add(id);
      return { status: 503 };
    });
    const ids: string[] = [];
    for (let count = 0; count < eventCount; count += batchSize) {
      const batch = Array.from({ length: batchSize }, () => exampleOf(runCompleted, webhooks.teamId));
      ids.push(...(await webhooks.runs.record(batch)));
    }
    await eventually(
      async () => {
        const rows = await webhooks.database.query(
          `SELECT status, count(*) FROM webhook_dispatcher.delivery WHERE target_id = ANY ($1) GROUP BY status`,
          [targets],
        );
        expect(rows).toEqual([{ status: 'delivered', count: String(webhookCount * eventCount) }]);
      },
      { timeoutMs: 40_000 },
    );
    for (const [index] of targets.entries()) {
      const came = receiver.received.filter(({ path }) => path === `/${index}`).map(({ id }) => id);
      expect(came).toHaveLength(eventCount * (index === 0 ? 2 : 1));
      expect(new Set(came)).toEqual(new Set(ids));
    }
    const early = await webhooks.database.query('SELECT * FROM webhook_dispatcher.queue_log WHERE too_early');
    expect(early).toEqual([]);
    expect(await wrongCounts(webhooks.database)).toEqual([]);
  });

  it('leave to each other what they had: one that ends gives back its queues', async () => {
    const team = webhooks.anotherTeam();
    const { id: subscriptionId } = await team.subscribe(receiver.url('/shared'), runCompleted.name);
    receiver.behave(() => ({ status: 200, delayMs: 50 }));
    const ids = await webhooks.runs.record(
      Array.from({ length: 200 }, () => exampleOf(runCompleted, team.teamId)),
    );
    const came = () => receiver.received.filter(({ path }) => path === '/shared').map(({ id }) => id);
    await eventually(() => expect(came().length).toBeGreaterThan(20));
    await other.close();
    for (const id of ids) await team.reach(subscriptionId, id, 'delivered');
    // Whoever ended waited for what it had under way: nothing came twice.
    expect(came()).toHaveLength(ids.length);
  });
});
