import { runCompleted } from '@aos/contracts';
import pg from 'pg';
import type { BenchStack } from './bench-stack.js';
import { latency } from './latency.js';
import type { Figure } from './report.js';
import { createTeam } from './teams.js';

const few = 10_000;
const many = 1_000_000;
const seconds = 1;
const flatWithin = 2;

const queries: Readonly<Record<string, string>> = {
  'no filter': '',
  'offset 9900': '?offset=9900',
  'status=delivered': '?status=delivered',
  'status=dead': '?status=dead',
};

interface Webhook {
  readonly url: string;
  readonly key: string;
}

/** A page of deliveries must cost the same however many there are; `total` is exact in each. */
export async function measureDeliveryList(stack: BenchStack): Promise<Figure[]> {
  const client = new pg.Client({
    connectionString: stack.databaseUrl,
    options: '-c search_path=webhook_dispatcher',
  });
  await client.connect();
  try {
    const [small, large] = [await webhookWith(stack, client, few), await webhookWith(stack, client, many)];
    await client.query('VACUUM ANALYZE delivery');
    const figures: Figure[] = [];
    for (const [name, query] of Object.entries(queries)) {
      const [fewMs, manyMs] = [await pageMs(small, query), await pageMs(large, query)];
      figures.push({
        name: `a page of deliveries among ${many}, ${name}`,
        value: `p50 ${manyMs.toFixed(2)} ms`,
        baseline: `among ${few}: p50 ${fewMs.toFixed(2)} ms`,
        ratio: manyMs / fewMs,
        target: `<= ${flatWithin}`,
        met: manyMs / fewMs <= flatWithin,
      });
    }
    return figures;
  } finally {
    await client.end();
  }
}

async function pageMs({ url, key }: Webhook, query: string): Promise<number> {
  const headers = { authorization: `Bearer ${key}` };
  const { p50Ms } = await latency(1, seconds, async () => {
    const response = await fetch(`${url}/deliveries${query}`, { headers });
    if (response.status !== 200) throw new Error(`${url}: ${response.status}`);
    await response.arrayBuffer();
  });
  return p50Ms;
}

/** A webhook with deliveries of thirty days, one in a hundred of them dead. */
async function webhookWith(
  { base, adminKey }: BenchStack,
  client: pg.Client,
  count: number,
): Promise<Webhook> {
  const { team, key } = await createTeam(base, adminKey);
  const response = await fetch(`${base}/v2/teams/${team}/webhooks`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ url: 'https://example.com/hook', events: [runCompleted.name] }),
  });
  const { subscriptionId: id } = (await response.json()) as { subscriptionId: string };
  await client.query(
    `INSERT INTO delivery (target_id, event_id, team_id, position, queue_id, event, status, attempts, attempts_before,
                           created_at, delivered_at)
     SELECT $1, ${newId}, $2, n, $1, $3, CASE WHEN n % 100 = 0 THEN 'dead' ELSE 'delivered' END, 1, 0, created, created
       FROM (SELECT n, now() - interval '29 days' * (1 - n / ${count}.0) AS created
               FROM generate_series(1, ${count}) AS n) AS made`,
    [id, team, runCompleted.name],
  );
  await client.query(
    `INSERT INTO delivery_count (target_id, status, deliveries)
     SELECT target_id, status, count(*) FROM delivery WHERE target_id = $1 GROUP BY 1, 2`,
    [id],
  );
  return { url: `${base}/v2/teams/${team}/webhooks/${id}`, key };
}

/** Begins with the time, as the service's own. */
const newId = `(lpad(to_hex((extract(epoch FROM created) * 1000)::bigint), 12, '0')
  || '7' || substr(md5(random()::text), 1, 3) || '8' || substr(md5(random()::text), 1, 15))::uuid`;
