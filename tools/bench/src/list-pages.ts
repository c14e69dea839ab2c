import pg from 'pg';
import { latency } from './latency.js';
import type { Figure } from './report.js';
import { createTeam } from './teams.js';

const few = 100;
const many = 100_000;
const seconds = 2;
const flatWithin = 2;

interface Owner {
  readonly team: string;
  readonly key: string;
}

/** A page must cost the same however many rows there are. */
export async function measureLists(base: string, adminKey: string, databaseUrl: string): Promise<Figure[]> {
  const [small, large] = [await createTeam(base, adminKey), await createTeam(base, adminKey)];
  const client = new pg.Client({
    connectionString: databaseUrl,
    options: '-c search_path=agents_and_revisions',
  });
  await client.connect();
  try {
    await insertAgents(client, small.team, few);
    await insertAgents(client, large.team, many);
    const [smallAgent, largeAgent] = [
      await insertRevisions(client, small.team, few),
      await insertRevisions(client, large.team, many),
    ];
    await client.query('ANALYZE agent; ANALYZE build');
    const agents = (owner: Owner) => `${base}/v2/teams/${owner.team}/agents`;
    const revisions = (agent: string) => `${base}/v2/agents/${agent}/revisions`;
    return [
      await compare('a page of listAgents', [agents(small), small], [agents(large), large]),
      await compare(
        'a page of listAgentRevisions',
        [revisions(smallAgent), small],
        [revisions(largeAgent), large],
      ),
    ];
  } finally {
    await client.end();
  }
}

async function compare(name: string, small: [string, Owner], large: [string, Owner]): Promise<Figure> {
  const [fewMs, manyMs] = [await pageMs(...small), await pageMs(...large)];
  return {
    name: `${name} among ${many}`,
    value: `p50 ${manyMs.toFixed(2)} ms`,
    baseline: `among ${few}: p50 ${fewMs.toFixed(2)} ms`,
    ratio: manyMs / fewMs,
    target: `<= ${flatWithin}`,
    met: manyMs / fewMs <= flatWithin,
  };
}

async function pageMs(url: string, { key }: Owner): Promise<number> {
  const headers = { authorization: `Bearer ${key}` };
  const { p50Ms } = await latency(1, seconds, async () => {
    const response = await fetch(url, { headers });
    if (response.status !== 200) throw new Error(`${url}: ${response.status}`);
    await response.arrayBuffer();
  });
  return p50Ms;
}

async function insertAgents(client: pg.Client, team: string, count: number): Promise<void> {
  await client.query('BEGIN');
  await client.query(
    `CREATE TEMP TABLE made ON COMMIT DROP AS
       SELECT gen_random_uuid() AS agent_id, gen_random_uuid() AS build_id FROM generate_series(1, ${count})`,
  );
  await client.query(
    `INSERT INTO build (id, agent_id, team_id, name, revision_number, status, config, created_at, updated_at)
     SELECT build_id, agent_id, $1, 'bench', 1, 'live', '{}', now(), now() FROM made`,
    [team],
  );
  await client.query(
    `INSERT INTO agent (id, team_id, name, agentic_memory_enabled, live_build_id, last_revision_number,
                        created_at, updated_at)
     SELECT agent_id, $1, 'bench', true, build_id, 1, now(), now() FROM made`,
    [team],
  );
  await client.query(`INSERT INTO team_agent_count (team_id, agents) VALUES ($1, $2)`, [team, count]);
  await client.query('COMMIT');
}

/** Gives one agent of the team many drafts, and returns its id. */
async function insertRevisions(client: pg.Client, team: string, count: number): Promise<string> {
  const { rows } = await client.query<{ id: string }>(
    'UPDATE agent SET last_revision_number = $2 WHERE id = (SELECT id FROM agent WHERE team_id = $1 LIMIT 1) RETURNING id',
    [team, count],
  );
  const agent = rows[0]!.id;
  await client.query(
    `INSERT INTO build (id, agent_id, team_id, name, revision_number, status, config, created_at, updated_at)
     SELECT gen_random_uuid(), $1, $2, 'bench', number, 'draft', '{}', now(), now()
       FROM generate_series(2, ${count}) AS number`,
    [agent, team],
  );
  return agent;
}
