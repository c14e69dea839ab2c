import { startBenchStack } from './bench-stack.js';
import { measureInChild, serveInChild } from './children.js';
import type { HttpLoad, HttpLoadResult } from './http-load.types.js';
import type { Latency } from './latency.js';
import { measureLists } from './list-pages.js';
import type { Figure } from './report.js';
import { createTeam } from './teams.js';

const rounds = 3;
const connections = 64;
const seconds = 4;
const readTarget = 0.5;
const rpcTargetMs = 1;

/** A read through gateway, Redis, service and Postgres, and the empty round trip, each beside its baseline. */
export async function measureRequests(): Promise<Figure[]> {
  const stack = await startBenchStack(['gateway', 'agents-and-revisions']);
  const { base, adminKey, environment, databaseUrl } = stack;
  try {
    const { team, key } = await createTeam(base, adminKey);
    const agentId = await createAgent(base, team, key);
    const read = await measureRead(base, key, agentId, databaseUrl);
    const rpc = [];
    for (const inFlight of [1, 16, 64]) rpc.push(await measureRpc(environment, inFlight));
    const lists = await measureLists(base, adminKey, databaseUrl);
    return [read, ...rpc, ...lists, { name: 'stores used', value: stack.origin }];
  } finally {
    await stack.stop();
  }
}

async function measureRead(base: string, key: string, agentId: string, databaseUrl: string): Promise<Figure> {
  const bare = await serveInChild<{ port: number }>('bare-handler', { databaseUrl });
  const ours: HttpLoadResult[] = [];
  const theirs: HttpLoadResult[] = [];
  try {
    for (let round = 0; round <= rounds; round += 1) {
      const load: Omit<HttpLoad, 'url' | 'headers'> = { connections, seconds: round === 0 ? 2 : seconds };
      const theirsNow = await measureInChild<HttpLoadResult>('http-load', {
        ...load,
        url: `http://127.0.0.1:${bare.ready.port}/agents/${agentId}`,
        headers: {},
      });
      const oursNow = await measureInChild<HttpLoadResult>('http-load', {
        ...load,
        url: `${base}/v2/agents/${agentId}`,
        headers: { authorization: `Bearer ${key}` },
      });
      // The first round warms both up.
      if (round === 0) continue;
      ours.push(oursNow);
      theirs.push(theirsNow);
    }
  } finally {
    await bare.stop();
  }
  const [our, their] = [median(ours), median(theirs)];
  const ratio = our.perSecond / their.perSecond;
  return {
    name: `getAgent over gateway, Redis, service, Postgres (${connections} connections)`,
    value: `${our.perSecond.toFixed(0)}/s, p50 ${our.p50Ms} ms`,
    baseline: `bare Fastify + pg: ${their.perSecond.toFixed(0)}/s, p50 ${their.p50Ms} ms`,
    ratio,
    target: `>= ${readTarget}`,
    met: ratio >= readTarget,
  };
}

async function measureRpc(environment: Readonly<Record<string, string>>, inFlight: number): Promise<Figure> {
  const { empty, baseline } = await measureInChild<{ empty: Latency; baseline: Latency }>('rpc-load', {
    redisUrl: environment['REDIS_URL'],
    prefix: environment['REDIS_PREFIX'],
    secretsKeys: environment['SECRETS_KEYS'],
    inFlight,
    seconds: 3,
  });
  return {
    name: `empty request to a service, ${inFlight} in flight`,
    value: `${empty.perSecond.toFixed(0)}/s, p50 ${empty.p50Ms.toFixed(2)} ms, p99 ${empty.p99Ms.toFixed(2)} ms`,
    baseline: `Redis PING: ${baseline.perSecond.toFixed(0)}/s, p50 ${baseline.p50Ms.toFixed(2)} ms`,
    ratio: empty.perSecond / baseline.perSecond,
    ...(inFlight === 1 ? { target: `p50 <= ${rpcTargetMs} ms`, met: empty.p50Ms <= rpcTargetMs } : {}),
  };
}

async function createAgent(base: string, team: string, key: string): Promise<string> {
  const response = await fetch(`${base}/v2/teams/${team}/agents`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}` },
  });
  return ((await response.json()) as { agent_id: string }).agent_id;
}

function median(results: readonly HttpLoadResult[]): HttpLoadResult {
  const sorted = [...results].sort((a, b) => a.perSecond - b.perSecond);
  return sorted[Math.floor(sorted.length / 2)]!;
}
