import pg from 'pg';
import { createAgent, procedureOf } from './agents.js';
import { startBenchStack, type BenchStack } from './bench-stack.js';
import { cpuMs, descendants, tellsCpu } from './cpu-time.js';
import { measureCaseList } from './case-list.js';
import { postJson, type Access } from './post-json.js';
import type { Figure } from './report.js';
import { createTeam } from './teams.js';

const single = 60;
const startTargetMs = 100;
const through = 4_000;
const casesPerSecond = 200;
const concurrency = 50;
const atOnce = 100;
const patienceMs = 300_000;

const steps = ['tool complete_case {"result": "Done"}', 'finish Done'];

/** Cases from createCases to their settling, and pages of many. */
export async function measureCases(): Promise<Figure[]> {
  const stack = await startBenchStack(['gateway', 'agents-and-revisions', 'runs']);
  const client = new pg.Client({ connectionString: stack.databaseUrl, options: '-c search_path=runs' });
  await client.connect();
  try {
    return [
      await measureDispatch(stack, client),
      await measureThroughput(stack, client),
      ...(await measureCaseList(stack, client)),
    ];
  } finally {
    await client.end();
    await stack.stop();
  }
}

/** One case at a time, while nothing else happens. */
async function measureDispatch(stack: BenchStack, client: pg.Client): Promise<Figure> {
  const { access, queueId } = await workedQueue(stack);
  for (let n = 1; n <= single; n += 1) {
    await postJson(access, `/v2/queues/${queueId}/cases`, { case: { title: `Case ${n}` } });
    await untilSettled(client, queueId, n);
  }
  const { rows } = await client.query<{ p50: number; p99: number }>(
    `SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY ms) AS p50, percentile_disc(0.99) WITHIN GROUP (ORDER BY ms) AS p99
       FROM (SELECT (extract(epoch FROM run.started_at - queue_case.created_at) * 1000)::int AS ms
               FROM queue_case JOIN run ON run.case_id = queue_case.id WHERE queue_id = $1) AS starts`,
    [queueId],
  );
  const { p50, p99 } = rows[0]!;
  return {
    name: 'from createCases to the start of the run, idle',
    value: `p50 ${p50} ms, p99 ${p99} ms`,
    target: `p50 <= ${startTargetMs} ms`,
    met: p50 <= startTargetMs,
  };
}

/** A full queue, from the moment at which its agent may begin. */
async function measureThroughput(stack: BenchStack, client: pg.Client): Promise<Figure> {
  const { access, queueId, work } = await workedQueue(stack, { enabled: false });
  for (let made = 0; made < through; made += atOnce) {
    const cases = Array.from({ length: atOnce }, (_, n) => ({ title: `Case ${made + n}`, data: { n } }));
    await postJson(access, `/v2/queues/${queueId}/cases`, { cases });
  }
  const processes = tellsCpu() ? descendants() : [];
  const [began, before] = [performance.now(), cpuMs(processes)];
  await work();
  await untilSettled(client, queueId, through);
  const perSecond = through / ((performance.now() - began) / 1000);
  const perCase = (cpuMs(processes) - before) / through;
  return {
    name: `cases through one queue, ${concurrency} at the same time`,
    value: `${perSecond.toFixed(0)}/s, ${perCase.toFixed(1)} ms of CPU a case`,
    target: `>= ${casesPerSecond}/s`,
    met: perSecond >= casesPerSecond,
  };
}

/** A queue with an agent that completes every case, from now on or when it is told so. */
async function workedQueue(stack: BenchStack, { enabled = true }: { enabled?: boolean } = {}) {
  const { base, adminKey } = stack;
  const { team, key } = await createTeam(base, adminKey);
  const access: Access = { base, key };
  const agentId = await createAgent({ base, team, key }, procedureOf(steps));
  const { queue_id: queueId } = await postJson<{ queue_id: string }>(access, `/v2/teams/${team}/queues`, {
    name: 'bench',
  });
  const work = () =>
    postJson(access, `/v2/agents/${agentId}/case-triggers`, { case_queue_id: queueId, concurrency });
  if (enabled) await work();
  return { access, queueId, work };
}

async function untilSettled(client: pg.Client, queueId: string, count: number): Promise<void> {
  const deadline = performance.now() + patienceMs;
  while (performance.now() < deadline) {
    const { rows } = await client.query<{ settled: number }>(
      `SELECT coalesce(sum(cases), 0)::int AS settled FROM case_tally WHERE queue_id = $1 AND status = 'completed'`,
      [queueId],
    );
    if (rows[0]!.settled === count) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error(`${count} cases were not settled in time`);
}
