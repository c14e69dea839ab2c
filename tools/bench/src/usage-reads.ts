import { randomUUID } from 'node:crypto';
import pg from 'pg';
import type { BenchStack } from './bench-stack.js';
import { latency } from './latency.js';
import type { Figure } from './report.js';
import { createTeam } from './teams.js';

const few = 1_000;
const many = 1_000_000;
const agents = 20;
const seconds = 2;
const flatWithin = 2;

interface Owner {
  readonly team: string;
  readonly key: string;
}

/** What a team has used must cost the same to read however much it was. */
export async function measureUsageReads(stack: BenchStack): Promise<Figure[]> {
  const client = new pg.Client({ connectionString: stack.databaseUrl, options: '-c search_path=billing' });
  await client.connect();
  try {
    const [small, large] = [await teamWith(stack, client, few), await teamWith(stack, client, many)];
    await client.query('VACUUM ANALYZE usage_record, daily_usage, monthly_agent_usage');
    const figures: Figure[] = [];
    for (const path of ['billing/usage', 'billing/usage/agents']) {
      const [fewMs, manyMs] = [await readMs(stack, small, path), await readMs(stack, large, path)];
      figures.push({
        name: `${path} of ${many} records`,
        value: `p50 ${manyMs.toFixed(2)} ms`,
        baseline: `of ${few}: p50 ${fewMs.toFixed(2)} ms`,
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

async function readMs({ base }: BenchStack, { team, key }: Owner, path: string): Promise<number> {
  const headers = { authorization: `Bearer ${key}` };
  const { p50Ms } = await latency(1, seconds, async () => {
    const response = await fetch(`${base}/v2/teams/${team}/${path}`, { headers });
    if (response.status !== 200) throw new Error(`${path}: ${response.status}`);
    await response.arrayBuffer();
  });
  return p50Ms;
}

const counted = ['runs_started', 'messages', 'input_tokens', 'output_tokens'];
const uncounted = [
  'runs_reopened',
  'runs_completed',
  'runs_failed',
  'runs_stopped',
  'active_ms',
  'tool_calls',
  'human_requests',
  'webhook_deliveries',
  'mcp_calls',
];
const columns = [...counted, ...uncounted].join(', ');
const zeros = uncounted.map(() => '0').join(', ');
const sums = [...counted, ...uncounted].map((name) => `sum(${name})`).join(', ');

/** Records of this month, by some agents, and the sums that they are part of. */
async function teamWith({ base, adminKey }: BenchStack, client: pg.Client, count: number): Promise<Owner> {
  const owner = await createTeam(base, adminKey);
  const agentIds = Array.from({ length: agents }, () => randomUUID());
  await client.query(
    `INSERT INTO usage_record (id, team_id, agent_id, model, day, ${columns})
     SELECT gen_random_uuid(), $1, ($2::uuid[])[1 + n % ${agents}], 'openai/gpt-' || n % 2,
            greatest(date_trunc('month', now() AT TIME ZONE 'UTC')::date, (now() AT TIME ZONE 'UTC')::date - n % 28),
            1, 3, 100, 20, ${zeros}
       FROM generate_series(1, ${count}) AS n`,
    [owner.team, agentIds],
  );
  await client.query(
    `INSERT INTO daily_usage (team_id, day, model, ${columns})
     SELECT team_id, day, model, ${sums} FROM usage_record WHERE team_id = $1 GROUP BY 1, 2, 3`,
    [owner.team],
  );
  await client.query(
    `INSERT INTO monthly_agent_usage (team_id, month, agent_id, model, ${columns})
     SELECT team_id, date_trunc('month', day)::date, agent_id, model, ${sums}
       FROM usage_record WHERE team_id = $1 GROUP BY 1, 2, 3, 4`,
    [owner.team],
  );
  return owner;
}
