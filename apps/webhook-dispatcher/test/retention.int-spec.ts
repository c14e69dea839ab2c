import { getWebhookDelivery, listEvents, listWebhookDeliveries, runCompleted } from '@aos/contracts';
import { eventually, startReceiver, type WebhookReceiver } from '@aos/testing';
import { uuidv7 } from 'uuidv7';
import { oldestDeliveries } from '../src/deliveries/prune-deliveries.sql.js';
import { oldestEvents } from '../src/feed/prune-feed.sql.js';
import { Retention } from '../src/retention/retention.js';
import { expectCountsRight } from './delivery-counts.js';
import { exampleOf, startWebhooks, type DispatcherUnderTest } from './dispatcher-under-test.js';

interface PlanNode {
  readonly Plans?: readonly PlanNode[];
  readonly [key: string]: unknown;
}

function leafOf(node: PlanNode): PlanNode {
  return node.Plans?.[0] ? leafOf(node.Plans[0]) : node;
}

describe('what is older than it is to be kept', () => {
  let webhooks: DispatcherUnderTest;
  let receiver: WebhookReceiver;

  beforeAll(async () => {
    receiver = await startReceiver();
    webhooks = await startWebhooks({ WEBHOOK_RETENTION_DAYS: '4', WEBHOOK_RETRY_SCHEDULE_MS: '0' });
  });

  afterAll(async () => {
    await webhooks?.stop();
    await receiver?.close();
  });

  const prune = () => webhooks.running.app.get(Retention).prune();

  const count = async (table: string) => {
    const [row] = await webhooks.database.query<{ count: string }>(
      `SELECT count(*) FROM webhook_dispatcher.${table}`,
    );
    return Number(row!.count);
  };

  async function makeOlder(ids: readonly string[], hours: number): Promise<void> {
    for (const [table, id] of [
      ['feed_event', 'id'],
      ['delivery', 'event_id'],
    ]) {
      await webhooks.database.query(
        `UPDATE webhook_dispatcher.${table} SET created_at = now() - make_interval(hours => $2) WHERE ${id} = ANY ($1)`,
        [ids, hours],
      );
    }
  }

  it('goes: deliveries with their attempts and counters, and events a day after them', async () => {
    const { teamId } = webhooks;
    const { id: subscriptionId } = await webhooks.subscribe(receiver.url(), runCompleted.name);
    receiver.behave(({ id }) => ({ status: id.endsWith('0') ? 500 : 200 }));
    const ids = await webhooks.runs.record(Array.from({ length: 30 }, () => exampleOf(runCompleted, teamId)));
    const callback = await webhooks.runs.record([
      exampleOf(runCompleted, teamId, { callbackUrl: receiver.url('/callback') }),
    ]);
    const params = { subscriptionId };
    await eventually(async () => {
      const query = { status: 'pending' };
      expect((await webhooks.succeed(listWebhookDeliveries, { params, query })).total).toBe(0);
      expect(await count('delivery_attempt')).toBe(32);
    });
    const [kept, old, oldest] = [ids.slice(0, 10), ids.slice(10, 20), [...ids.slice(20), ...callback]];
    await makeOlder(kept, 4 * 24 - 1);
    await makeOlder(old, 4 * 24 + 1);
    await makeOlder(oldest, 5 * 24 + 1);
    expect(await prune()).toBe(false);

    // Those of the webhook that are young enough.
    const { deliveries, total } = await webhooks.succeed(listWebhookDeliveries, { params });
    expect(deliveries.map(({ id }) => id)).toEqual([...kept].reverse());
    expect(total).toBe(10);
    expect(await count('delivery_attempt')).toBe(10);
    const { events } = await webhooks.succeed(listEvents);
    expect(events.map(({ id }) => id)).toEqual([...kept, ...old]);
    for (const deliveryId of [...old, ...oldest]) {
      const answer = await webhooks.call(getWebhookDelivery, { params: { subscriptionId, deliveryId } });
      expect(answer.status).toBe(404);
    }
    await expectCountsRight(webhooks.database, webhooks);
    // Once more has nothing to do.
    await prune();
    expect(await count('delivery')).toBe(10);
  });

  it('is found by its age without reading what stays, wherever rows lie', async () => {
    // As after months: young rows fill the room of those that were removed, and updates have moved the rest.
    const shuffled = `FROM generate_series(1, 20000) AS n ORDER BY md5(n::text)`;
    const team = uuidv7();
    const age = `now() - n * interval '1 minute'`;
    await webhooks.database.query(
      `INSERT INTO webhook_dispatcher.feed_event (team_id, position, id, event, body, created_at)
       SELECT $1, n, gen_random_uuid(), 'run.completed', '{}', ${age} ${shuffled}`,
      [team],
    );
    await webhooks.database.query(
      `INSERT INTO webhook_dispatcher.delivery (target_id, event_id, team_id, position, queue_id, event, url, status,
                                                attempts, attempts_before, created_at)
       SELECT $1, gen_random_uuid(), $1, n, $1, 'run.completed', 'http://127.0.0.1/', 'dead', 1, 0, ${age} ${shuffled}`,
      [team],
    );
    await webhooks.database.query('ANALYZE webhook_dispatcher.delivery, webhook_dispatcher.feed_event');
    for (const sql of [oldestDeliveries, oldestEvents]) {
      const text = sql
        .replace(/FROM (\w+)/, 'FROM webhook_dispatcher.$1')
        .replace('$1', '4')
        .replace('$2', '100');
      const [row] = await webhooks.database.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
        `EXPLAIN (ANALYZE, FORMAT JSON) ${text}`,
      );
      const leaf = leafOf(row!['QUERY PLAN'][0].Plan);
      expect(leaf).toMatchObject({ 'Index Name': expect.stringMatching(/_age$/), 'Actual Rows': 100 });
      expect(leaf['Rows Removed by Index Recheck'] ?? 0).toBe(0);
      expect(leaf['Rows Removed by Filter'] ?? 0).toBe(0);
    }
    for (const table of ['delivery', 'feed_event']) {
      await webhooks.database.query(`DELETE FROM webhook_dispatcher.${table} WHERE team_id = $1`, [team]);
    }
  });

  it('goes in batches, and says when there may be more', async () => {
    const { teamId } = webhooks;
    const ids: string[] = [];
    for (let round = 0; round < 3; round += 1) {
      const some = Array.from({ length: 500 }, () => exampleOf(runCompleted, teamId));
      ids.push(...(await webhooks.runs.record(some)));
    }
    await eventually(() => expect(receiver.ids().size).toBeGreaterThanOrEqual(1_500));
    await eventually(async () => {
      const [row] = await webhooks.database.query<{ count: string }>(
        `SELECT count(*) FROM webhook_dispatcher.delivery WHERE status = 'pending'`,
      );
      expect(row).toEqual({ count: '0' });
    });
    await makeOlder(ids, 6 * 24);
    expect(await prune()).toBe(true);
    expect(await prune()).toBe(false);
    expect(await count('delivery')).toBe(10);
    await expectCountsRight(webhooks.database, webhooks);
  });

  it('goes with the queues that nobody needs any more, and only those', async () => {
    const queues = () =>
      webhooks.database.query(
        `SELECT subscription_id IS NULL AS of_callbacks FROM webhook_dispatcher.endpoint_queue`,
      );
    const [id] = await webhooks.runs.record([
      exampleOf(runCompleted, webhooks.teamId, { callbackUrl: receiver.url() }),
    ]);
    await eventually(async () => {
      expect(receiver.received.filter((one) => one.id === id)).toHaveLength(2);
      expect(await queues()).toHaveLength(2);
      const busy = await webhooks.database.query(
        'SELECT id FROM webhook_dispatcher.endpoint_queue WHERE due_at IS NOT NULL OR lease_token IS NOT NULL',
      );
      expect(busy).toEqual([]);
    });
    await prune();
    expect(await queues()).toHaveLength(2);
    await webhooks.database.query(
      `UPDATE webhook_dispatcher.endpoint_queue SET used_at = now() - interval '25 hours'`,
    );
    await prune();
    expect(await queues()).toEqual([{ of_callbacks: false }]);
  });
});
