import type pg from 'pg';
import type { BenchStack } from './bench-stack.js';
import { latency } from './latency.js';
import { postJson, type Access } from './post-json.js';
import type { Figure } from './report.js';
import { createTeam } from './teams.js';

const few = 10_000;
const many = 1_000_000;
const seconds = 1;
const flatWithin = 2;

/** A page, as a list or as a search. */
type Page = { readonly query: string } | { readonly search: object };

const pages: Readonly<Record<string, Page>> = {
  'no filter': { query: '' },
  'offset 9900': { query: '?offset=9900' },
  'status=pending': { query: '?status=pending' },
  'status=failed, priority=high': { query: '?status=failed&priority=high' },
  'sort_by=updated_at': { query: '?sort_by=updated_at' },
  'sort_by=priority': { query: '?sort_by=priority' },
  'a common word': { search: { search: 'invoice' } },
  'a rare word': { search: { search: 'zanzibar' } },
  'a word that no case has': { search: { search: 'nowhere' } },
  'a common letter': { search: { search: 'e' } },
  'a rare letter': { search: { search: 'ω' } },
  'two rare letters': { search: { search: 'qx' } },
  'a letter that no case has': { search: { search: 'ж' } },
  'a rare word, failed only': { search: { search: 'zanzibar', filters: { status: ['failed'] } } },
  'a rare label': { search: { filters: { labels: { region: ['rare'] } } } },
  'a common label': { search: { filters: { labels: { region: ['north'] } } } },
};

interface Queue extends Access {
  readonly queueId: string;
}

/** A page of cases, listed or searched, must cost the same however many there are. */
export async function measureCaseList(stack: BenchStack, client: pg.Client): Promise<Figure[]> {
  const [small, large] = await withoutTextIndexes(client, async (): Promise<[Queue, Queue]> => [
    await queueWith(stack, client, few),
    await queueWith(stack, client, many),
  ]);
  const tables = 'queue_case, case_text, case_tally, case_label, case_label_link';
  await client.query(`VACUUM ANALYZE ${tables}`);
  const figures: Figure[] = [];
  for (const [name, page] of Object.entries(pages)) {
    const [fewMs, manyMs] = [await pageMs(small, page), await pageMs(large, page)];
    figures.push({
      name: `a page of cases among ${many}, ${name}`,
      value: `p50 ${manyMs.toFixed(2)} ms`,
      baseline: `among ${few}: p50 ${fewMs.toFixed(2)} ms`,
      ratio: manyMs / fewMs,
      target: `<= ${flatWithin}`,
      met: manyMs / fewMs <= flatWithin,
    });
  }
  return figures;
}

/** A million texts are in an index sooner if it is made of them than if each is put into it. */
async function withoutTextIndexes<T>(client: pg.Client, work: () => Promise<T>): Promise<T> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `SELECT indexname AS name, indexdef AS definition FROM pg_indexes
      WHERE schemaname = 'runs' AND tablename = 'case_text' AND indexdef LIKE '%USING gin%'`,
  );
  for (const { name } of rows) await client.query(`DROP INDEX ${client.escapeIdentifier(name)}`);
  const done = await work();
  await client.query(`SET maintenance_work_mem = '512MB'`);
  for (const { definition } of rows) await client.query(definition);
  return done;
}

async function pageMs(queue: Queue, page: Page): Promise<number> {
  const path = `/v2/queues/${queue.queueId}/cases`;
  const { p50Ms } = await latency(1, seconds, async () => {
    if ('search' in page) return postJson(queue, `${path}/search`, page.search);
    const headers = { authorization: `Bearer ${queue.key}` };
    const response = await fetch(`${queue.base}${path}${page.query}`, { headers });
    if (response.status !== 200) throw new Error(`${path}: ${response.status}`);
    return response.arrayBuffer();
  });
  return p50Ms;
}

/**
 * A queue with cases of a year, evenly spread: 9 of 10 settled, half of them with a common word and label, ten of them
 * with rare ones. Those that are pending are postponed, or a service would look for an agent that takes them.
 */
async function queueWith({ base, adminKey }: BenchStack, client: pg.Client, count: number): Promise<Queue> {
  const { team, key } = await createTeam(base, adminKey);
  const access = { base, key };
  const { queue_id: queueId } = await postJson<{ queue_id: string }>(access, `/v2/teams/${team}/queues`, {
    name: 'bench',
  });
  const rare = `n % ${count / 10} = 7`;
  await client.query(
    `INSERT INTO queue_case (id, team_id, queue_id, title, data, status, rank, postponed_to, completed_at, created_at, updated_at)
     SELECT gen_random_uuid(), $1, $2,
            CASE WHEN n % 2 = 0 THEN 'Invoice ' ELSE 'Refund ' END || n || CASE WHEN ${rare} THEN ' Zanzibar Ω qx' ELSE '' END,
            jsonb_build_object('customer', 'Customer ' || n % 1000, 'total', n % 977), status, rank,
            CASE status WHEN 'pending' THEN now() + interval '30 days' END,
            CASE status WHEN 'pending' THEN NULL ELSE created END, created, created + interval '1 hour' * (n % 24)
       FROM (SELECT n, now() - interval '365 days' * (1 - n / ${count}.0) AS created, n % 3 AS rank,
                    CASE n % 20 WHEN 0 THEN 'failed' WHEN 1 THEN 'pending' WHEN 2 THEN 'pending' ELSE 'completed' END AS status
               FROM generate_series(1, ${count}) AS n) AS spread`,
    [team, queueId],
  );
  await client.query(
    `INSERT INTO case_text (case_id, queue_id, text)
     SELECT id, queue_id, lower(title || E'\\n' || (data ->> 'customer') || E'\\n' || (data ->> 'total'))
       FROM queue_case WHERE queue_id = $1`,
    [queueId],
  );
  await client.query(
    `INSERT INTO case_tally (queue_id, status, rank, cases)
     SELECT queue_id, status, rank, count(*) FROM queue_case WHERE queue_id = $1 GROUP BY 1, 2, 3`,
    [queueId],
  );
  await client.query(
    `WITH made AS (
       INSERT INTO case_label (id, team_id, queue_id, key, value, hue, created_at)
       SELECT gen_random_uuid(), $1, $2, 'region', value, 0, now() FROM unnest(ARRAY['north', 'rare']) AS value
       RETURNING id, value)
     INSERT INTO case_label_link (case_id, label_id)
     SELECT queue_case.id, made.id FROM queue_case JOIN made
         ON (made.value = 'north' AND title LIKE 'Invoice%') OR (made.value = 'rare' AND title LIKE '%Zanzibar%')
      WHERE queue_case.queue_id = $2`,
    [team, queueId],
  );
  return { ...access, queueId };
}
