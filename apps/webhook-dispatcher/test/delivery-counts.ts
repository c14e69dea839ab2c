import { deliveryStatuses, listWebhookDeliveries, listWebhooks } from '@aos/contracts';
import { eventually, type TestDatabase } from '@aos/testing';
import type { WebhooksClient } from './dispatcher-under-test.js';

interface Difference {
  readonly target_id: string;
  readonly status: string;
  readonly rows: string;
  readonly counted: string;
}

/** Counters of webhooks that do not say how many deliveries there are; those of deleted webhooks too. */
export function wrongCounts(database: TestDatabase): Promise<Difference[]> {
  return database.query<Difference>(
    `SELECT target_id, status, COALESCE(present.rows, 0) AS rows, COALESCE(counter.deliveries, 0) AS counted
       FROM (SELECT target_id, status, count(*) AS rows FROM webhook_dispatcher.delivery
              WHERE url IS NULL GROUP BY target_id, status) AS present
       FULL JOIN webhook_dispatcher.delivery_count AS counter USING (target_id, status)
      WHERE COALESCE(present.rows, 0) <> COALESCE(counter.deliveries, 0)`,
  );
}

/** For the end of a test: lists tell as many deliveries as there are, of each status and in all. */
export async function expectCountsRight(database: TestDatabase, team: WebhooksClient): Promise<void> {
  expect(await wrongCounts(database)).toEqual([]);
  // A request that was taken by a process that has died since is made again.
  const { webhooks } = await eventually(() => team.succeed(listWebhooks));
  for (const { id } of webhooks) {
    // What is still under way may change between one look and the next.
    await eventually(async () => expect(await listedOf(team, id)).toEqual(await storedOf(database, id)));
  }
}

/** How many a webhook has of each status, as its list says. */
async function listedOf(team: WebhooksClient, subscriptionId: string): Promise<Record<string, number>> {
  const listed: Record<string, number> = {};
  for (const status of [undefined, ...deliveryStatuses]) {
    const query = { limit: '100', ...(status && { status }) };
    const page = await team.succeed(listWebhookDeliveries, { params: { subscriptionId }, query });
    expect(page.deliveries).toHaveLength(Math.min(page.total, 100));
    listed[status ?? 'in all'] = page.total;
  }
  return listed;
}

async function storedOf(database: TestDatabase, subscriptionId: string): Promise<Record<string, number>> {
  const rows = await database.query<{ status: string }>(
    'SELECT status FROM webhook_dispatcher.delivery WHERE target_id = $1',
    [subscriptionId],
  );
  const counted = deliveryStatuses.map((status) => [
    status,
    rows.filter((row) => row.status === status).length,
  ]);
  return { ...(Object.fromEntries(counted) as Record<string, number>), 'in all': rows.length };
}
