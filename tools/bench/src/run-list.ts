import pg from 'pg';
import { latency } from './latency.js';
import type { Figure } from './report.js';
import { createTeam } from './teams.js';

const few = 10_000;
const many = 1_000_000;
const seconds = 1;
const flatWithin = 2;
const dayMs = 86_400_000;

interface Owner {
  readonly team: string;
  readonly key: string;
}

type Query = Record<string, string>;

/** A page of runs must cost the same however many there are, with any filter; `total` is exact in each. */
export async function measureRunList(base: string, adminKey: string, databaseUrl: string): Promise<Figure[]> {
  const [small, large] = [await createTeam(base, adminKey), await createTeam(base, adminKey)];
  const client = new pg.Client({ connectionString: databaseUrl, options: '-c search_path=runs' });
  await client.connect();
  try {
    await insertRuns(client, small.team, few);
    await insertRuns(client, large.team, many);
    // Also tells which rows everyone may see, as the autovacuum of a server that runs longer than this would.
    for (const table of ['run', 'run_title', 'run_tally']) await client.query(`VACUUM ANALYZE ${table}`);
    const [ofSmall, ofLarge] = [await queriesOf(client, small.team), await queriesOf(client, large.team)];
    const figures: Figure[] = [];
    for (const name of Object.keys(ofSmall.pages)) {
      const fewMs = await listMs(base, small, ofSmall.pages[name]!);
      figures.push(compare(name, fewMs, await listMs(base, large, ofLarge.pages[name]!)));
    }
    for (const [name, query] of Object.entries(ofLarge.totals)) {
      const p50Ms = await listMs(base, large, { ...query, count_only: 'true' });
      figures.push({
        name: `the total of listRuns among ${many}, ${name}`,
        value: `p50 ${p50Ms.toFixed(2)} ms`,
      });
    }
    return figures;
  } finally {
    await client.end();
  }
}

function compare(name: string, fewMs: number, manyMs: number): Figure {
  return {
    name: `a page of listRuns among ${many}, ${name}`,
    value: `p50 ${manyMs.toFixed(2)} ms`,
    baseline: `among ${few}: p50 ${fewMs.toFixed(2)} ms`,
    ratio: manyMs / fewMs,
    target: `<= ${flatWithin}`,
    met: manyMs / fewMs <= flatWithin,
  };
}

async function listMs(base: string, { team, key }: Owner, query: Query): Promise<number> {
  const url = `${base}/v2/teams/${team}/runs?${new URLSearchParams(query).toString()}`;
  const headers = { authorization: `Bearer ${key}` };
  const { p50Ms } = await latency(1, seconds, async () => {
    const response = await fetch(url, { headers });
    if (response.status !== 200) throw new Error(`${url}: ${response.status}`);
    await response.arrayBuffer();
  });
  return p50Ms;
}

interface Queries {
  readonly pages: Record<string, Query>;
  readonly totals: Record<string, Query>;
}

/** The same wishes of every team. */
async function queriesOf(client: pg.Client, team: string): Promise<Queries> {
  const { rows } = await client.query<{ common: string; rare: string; user: string }>(
    `SELECT ${idOf('agent', 1)} AS common, ${idOf('agent', 9)} AS rare, ${idOf('user', 1)} AS user`,
    [team],
  );
  const { common, rare, user } = rows[0]!;
  const daysAgo = (days: number) => new Date(Date.now() - days * dayMs).toISOString();
  const byEnd = { sort_by: 'completed_at' };
  return {
    pages: {
      'no filter': {},
      'offset 9900': { offset: '9900' },
      'status=failed': { status: 'failed' },
      'a rare agent': { agent_id: rare },
      'a common agent': { agent_id: common },
      'a user': { user_id: user },
      'a source': { source: 'mcp' },
      'an agent and a source': { agent_id: common, source: 'mcp' },
      'search of a rare word': { search: 'zanzibar' },
      'a day long ago': { since: daysAgo(301), until: daysAgo(300) },
      'sort_by=completed_at': byEnd,
      'sort_by=completed_at, offset 9900': { ...byEnd, offset: '9900' },
      'a common agent, sort_by=completed_at': { ...byEnd, agent_id: common },
      count_only: { count_only: 'true' },
    },
    totals: {
      'from the ledger': {},
      'from the ledger, of an agent': { agent_id: common },
      'counted, of half a year': { since: daysAgo(180) },
      'counted, with a common word': { search: 'report' },
      'counted, with a common word and a status': { search: 'report', status: 'completed' },
    },
  };
}

/** An id that follows from the team, $1, and a number. */
function idOf(kind: string, number: number | string): string {
  const digest = `md5($1::text || '${kind}' || ${number})`;
  return `overlay(overlay(${digest} PLACING '8' FROM 13) PLACING '8' FROM 17)::uuid`;
}

/**
 * Runs of a year, evenly spread: 9 of 10 completed, agents from one half of all runs to one in a thousand. None is
 * pending or running, or the service would take them up.
 */
export async function insertRuns(client: pg.Client, team: string, count: number): Promise<void> {
  await client.query('BEGIN');
  await client.query(
    `INSERT INTO run (id, run_number, team_id, agent_id, agent_name, build_id, build_digest, title, status, source, sandbox_id,
       user_id, human_in_the_loop_enabled, metadata, result, steps, tool_calls, input_tokens, output_tokens, script_position,
       message_seq, event_seq, reopened, limits_from_steps, limits_from_tokens, active_ms, dispatches, queued_at,
       created_at, started_at, completed_at, updated_at)
     SELECT ${newId}, row_number() OVER (), $1::uuid, ${idOf('agent', 'agent')}, 'bench', gen_random_uuid(), 'bench', title, status, source,
       gen_random_uuid(), ${idOf('user', 'credential')}, true, '{}', 'done', 4, 2, 1200, 300, 3, 6, 4, 0, 0, 0, 900, 1,
       created, created, created + waited, CASE status WHEN 'waiting' THEN NULL ELSE created + waited + worked END,
       created + waited + worked
       FROM (${spread(count)}) AS runs`,
    [team],
  );
  await client.query(
    `INSERT INTO run_title (run_id, team_id, title) SELECT id, team_id, title FROM run WHERE team_id = $1`,
    [team],
  );
  await client.query(
    `INSERT INTO run_tally (team_id, agent_id, user_id, case_queue_id, source, status, runs)
     SELECT team_id, agent_id, user_id, case_queue_id, source, status, count(*) FROM run
      WHERE team_id = $1 AND status <> 'waiting' GROUP BY 1, 2, 3, 4, 5, 6`,
    [team],
  );
  await client.query('COMMIT');
}

/** Begins with the time, as the service's own. */
const newId = `(lpad(to_hex((extract(epoch FROM created) * 1000)::bigint), 12, '0')
  || '7' || substr(md5(random()::text), 1, 3) || '8' || substr(md5(random()::text), 1, 15))::uuid`;

function spread(count: number): string {
  return `
    SELECT now() - interval '365 days' * (1 - n / ${count}.0) AS created,
           least(9, 1 + floor(-log(2, 1 - a))) AS agent,
           floor(u * u * 8) AS credential,
           CASE WHEN s < 0.9 THEN 'completed' WHEN s < 0.96 THEN 'failed' WHEN s < 0.999 THEN 'stopped'
                ELSE 'waiting' END AS status,
           CASE WHEN o < 0.6 THEN 'api' WHEN o < 0.999 THEN 'agent' ELSE 'mcp' END AS source,
           CASE WHEN t < 0.5 THEN 'weekly report ' ELSE 'answer to mail ' END || n
             || CASE WHEN n % ${count / 10} = 7 THEN ' zanzibar' ELSE '' END AS title,
           interval '1 minute' * w AS waited,
           interval '10 minutes' * d AS worked
      FROM (SELECT n, random()::numeric AS a, random() AS u, random() AS s, random() AS o, random() AS t,
                   random() AS w, random() AS d FROM generate_series(1, ${count}) AS n) AS dice`;
}
