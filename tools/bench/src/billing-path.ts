import pg from 'pg';
import { createAgent, procedureOf } from './agents.js';
import { startBenchStack, type BenchStack } from './bench-stack.js';
import { measureInChild } from './children.js';
import { cpuMs, descendants, tellsCpu } from './cpu-time.js';
import type { Figure } from './report.js';
import type { RunLoad, RunLoadResult } from './run-load.types.js';
import { createTeam } from './teams.js';
import { measureUsageReads } from './usage-reads.js';

const inFlight = 50;
const seconds = 8;
const idleMs = 4_000;
const maxMs = 0.15;
const patienceMs = 60_000;

const withoutBilling = ['gateway', 'agents-and-revisions', 'runs'];

interface Load {
  readonly runs: number;
  /** Of all processes of the product, stores too. */
  readonly wholeMs: number;
  /** Of the service billing and its connections to Postgres, beyond what they use when nothing happens. */
  readonly meteringMs: number;
}

/** What it costs to count what runs use, and to read it. */
export async function measureBilling(): Promise<Figure[]> {
  if (!tellsCpu()) return [{ name: 'metering', value: 'is measured on Linux only' }];
  const without = await onStack(withoutBilling, loadOf);
  return onStack([...withoutBilling, 'billing'], async (stack) => {
    const counted = await loadOf(stack);
    const perRun = counted.meteringMs / counted.runs;
    const whole = ({ wholeMs, runs }: Load) => `${(wholeMs / runs).toFixed(2)} ms`;
    return [
      {
        name: `CPU of metering a one-step run, ${inFlight} in flight`,
        value: `${perRun.toFixed(3)} ms`,
        baseline: `the whole product with it: ${whole(counted)}, without: ${whole(without)}`,
        target: `<= ${maxMs} ms`,
        met: perRun <= maxMs,
      },
      ...(await measureUsageReads(stack)),
    ];
  });
}

async function onStack<T>(
  services: readonly string[],
  measure: (stack: BenchStack) => Promise<T>,
): Promise<T> {
  const stack = await startBenchStack(services);
  try {
    return await measure(stack);
  } finally {
    await stack.stop();
  }
}

async function loadOf(stack: BenchStack): Promise<Load> {
  const client = new pg.Client({ connectionString: stack.databaseUrl });
  await client.connect();
  try {
    const { team, key } = await createTeam(stack.base, stack.adminKey);
    const agentId = await createAgent({ base: stack.base, team, key }, procedureOf(['finish Done.']));
    const load: RunLoad = { base: stack.base, key, team, agentId, inFlight, seconds, mode: 'wait' };
    await measureInChild<RunLoadResult>('run-load', { ...load, seconds: 1 });
    await settled(client, stack);
    const idle = await used(client, stack, () => new Promise((resolve) => setTimeout(resolve, idleMs)));
    const before = await runCount(client);
    const loaded = await used(client, stack, async () => {
      await measureInChild<RunLoadResult>('run-load', load);
      await settled(client, stack);
    });
    const atRest = (idle.meteringMs / idle.tookMs) * loaded.tookMs;
    return {
      runs: (await runCount(client)) - before,
      wholeMs: loaded.wholeMs,
      meteringMs: loaded.meteringMs - atRest,
    };
  } finally {
    await client.end();
  }
}

/** What is used while something is done. */
async function used(client: pg.Client, stack: BenchStack, work: () => Promise<unknown>) {
  const metering = [...(stack.pids.get('billing') ?? []), ...(await backendsOf(client, 'billing'))];
  const all = descendants();
  const [meteringBefore, wholeBefore, began] = [cpuMs(metering), cpuMs(all), performance.now()];
  await work();
  return {
    meteringMs: cpuMs(metering) - meteringBefore,
    wholeMs: cpuMs(all) - wholeBefore,
    tookMs: performance.now() - began,
  };
}

async function backendsOf(client: pg.Client, service: string): Promise<number[]> {
  const { rows } = await client.query<{ pid: number }>(
    'SELECT pid FROM pg_stat_activity WHERE application_name = $1',
    [service],
  );
  return rows.map(({ pid }) => pid);
}

async function runCount(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ count: number }>('SELECT count(*)::int FROM runs.run');
  return rows[0]!.count;
}

/** Until everything that has happened is counted. */
async function settled(client: pg.Client, { pids }: BenchStack): Promise<void> {
  const consumer = pids.has('billing') ? 'billing' : 'agents_and_revisions';
  const deadline = performance.now() + patienceMs;
  while (performance.now() < deadline) {
    const { rows } = await client.query<{ behind: string }>(
      `SELECT (SELECT count(*) FROM runs.outbox_batch WHERE after IS NULL)
            + (SELECT position FROM runs.outbox_head)
            - (SELECT position FROM ${consumer}.event_position WHERE source = 'runs') AS behind`,
    );
    if (Number(rows[0]!.behind) === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('The events of the runs were not counted in time');
}
