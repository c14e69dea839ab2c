import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import {
  createAgent,
  createEvalRubric,
  generateRevision,
  getAgentUsage,
  getBillingUsage,
  getRun,
  postRunMessage,
  respondToHumanRequest,
  startRun,
  stopRun,
  type Operation,
  type OperationResponse,
} from '@aos/contracts';
import {
  appEntry,
  createTestDatabase,
  eventually,
  ofStorm,
  seededRandom,
  startEmbedded,
  startServiceProcess,
  startTestClient,
  TeamCaller,
  testEnvironment,
  type EmbeddedStores,
  type ServiceCall,
  type ServiceProcess,
  type TestClient,
  type TestDatabase,
} from '@aos/testing';
import { Redis } from 'ioredis';
import { uuidv7 } from 'uuidv7';
import { RepeatedEvents } from '../../repeated-events.js';

const command = fileURLToPath(new URL('../../../../../tools/recount.mjs', import.meta.url));
const random = seededRandom();
const runCount = ofStorm({ short: 40, long: 1_500 });
const kills = ofStorm({ short: 2, long: 12 });
const atOnce = 10;
const maxTotalMs = ofStorm({ short: 120_000, long: 900_000 });

const procedures: readonly (readonly string[])[] = [
  ['say One', 'tool list_files {}', 'wait 5', 'finish Done'],
  ['tool run_code {"code": "1 + 1"}', 'tool no_such_tool {}', 'finish {{result}}'],
  ['say One', 'fail Broken'],
  ['approve Go on?', 'finish {{answer}}'],
  ['wait 600000', 'finish late'],
];
const asking = 3;
const sleeping = 4;

describe('metering in a storm', () => {
  let stores: EmbeddedStores;
  let database: TestDatabase;
  let environment: Record<string, string>;
  let client: TestClient;
  let team: TeamCaller;
  let billing: ServiceProcess;
  let bus: RepeatedEvents;
  let forgottenMs = 0;
  const others: ServiceProcess[] = [];

  beforeAll(async () => {
    stores = await startEmbedded();
    database = await createTestDatabase([], stores.databaseUrl);
    environment = testEnvironment({
      DATABASE_URL: database.url,
      REDIS_URL: stores.redisUrl,
      RUN_LEASE_MS: '3000',
      RPC_TIMEOUT_MS: '3000',
    });
    const start = (service: string) => startServiceProcess(appEntry(service), environment);
    others.push(...(await Promise.all([start('agents-and-revisions'), start('runs')])));
    billing = await start('billing');
    client = startTestClient(environment);
    team = new TeamCaller(client.services);
    bus = new RepeatedEvents(new Redis(stores.redisUrl), client.connections.key('events', 'runs'), random);
  });

  afterAll(async () => {
    await bus?.stop();
    client?.close();
    await Promise.all([billing?.stop(), ...others.map((service) => service.stop())]);
    await database?.drop();
    await stores?.stop();
  });

  /** Until it is answered: an emptied Redis loses requests, and the key keeps a second from having a second effect. */
  const insist = <O extends Operation>(operation: O, given: ServiceCall): Promise<OperationResponse<O>> => {
    const request = { ...given, key: uuidv7() };
    return eventually(() => team.succeed(operation, request), { timeoutMs: 60_000 });
  };
  const makeAgent = async (steps: readonly string[]) => {
    const input = ['```steps', ...steps, '```'].join('\n');
    const body = { name: 'Worker', build: { config: { data: { input } } } };
    return insist(createAgent, { body });
  };
  const reach = (runId: string, ...wanted: string[]) =>
    eventually(
      async () => {
        const shown = await team.succeed(getRun, { params: { run_id: runId } });
        expect(wanted).toContain(shown.status);
        return shown;
      },
      { timeoutMs: 60_000 },
    );

  /** One run from its start to its end, or to where it is stopped. */
  async function oneRun(kind: number, agentId: string): Promise<void> {
    const { run_id: runId } = await insist(startRun, { body: { agent_id: agentId, message: 'Go' } });
    const params = { run_id: runId };
    if (kind === asking) {
      const { pending_human_request: asked } = await reach(runId, 'waiting');
      const answer = { params: { ...params, request_id: asked!.id }, body: { approved: true } };
      if (random.fraction() < 0.7) await insist(respondToHumanRequest, answer);
      else await insist(stopRun, { params });
    }
    if (kind === sleeping) {
      await reach(runId, 'running');
      await insist(stopRun, { params });
    }
    await reach(runId, 'completed', 'failed', 'stopped');
    if (kind === 0 && random.fraction() < 0.3) {
      // The time limit of a run begins anew then, and with it the time that its row tells.
      const forgotten = await activeMs(runId);
      forgottenMs += forgotten;
      await insist(postRunMessage, { params, body: { message: 'Once more' } });
      await reach(runId, 'completed');
    }
  }

  async function activeMs(runId: string): Promise<number> {
    const [row] = await database.query<{ active_ms: string }>(
      'SELECT active_ms FROM runs.run WHERE id = $1',
      [runId],
    );
    return Number(row!.active_ms);
  }

  async function mixedLoad(agentIds: readonly string[]): Promise<void> {
    let left = runCount;
    const lane = async () => {
      while (left > 0) {
        left -= 1;
        const kind = random.whole(0, procedures.length - 1);
        await oneRun(kind, agentIds[kind]!);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, lane));
  }

  /** Killed while there is something to count, away for a while, and back. */
  async function killBilling(): Promise<void> {
    const counted = await recordCount();
    await eventually(async () => expect(await recordCount()).toBeGreaterThan(counted), { timeoutMs: 60_000 });
    billing.signal('SIGKILL');
    await billing.exited;
    const redis = new Redis(stores.redisUrl);
    await redis.flushall();
    await redis.quit();
    billing = await startServiceProcess(appEntry('billing'), environment);
  }

  async function recordCount(): Promise<number> {
    const [row] = await database.query<{ count: number }>('SELECT count(*)::int FROM billing.usage_record');
    return row!.count;
  }

  /** As the tables of the runs, and the logs of builders and judges, say it. */
  async function truth(): Promise<Record<string, number>> {
    const [row] = await database.query<Record<string, string>>(
      `WITH others AS (
         SELECT meta -> 'usage' AS used FROM runs.logged_event WHERE event = 'usage.judge'
         UNION ALL
         SELECT meta -> 'usage' FROM agents_and_revisions.logged_event WHERE event = 'usage.builder')
       SELECT count(*) FILTER (WHERE started_at IS NOT NULL) AS started,
              count(*) FILTER (WHERE status = 'completed') + coalesce(sum(reopened), 0) AS completed,
              count(*) FILTER (WHERE status = 'failed') AS failed, count(*) FILTER (WHERE status = 'stopped') AS stopped,
              sum(input_tokens) + (SELECT sum((used ->> 'input_tokens')::int) FROM others) AS input_tokens,
              sum(output_tokens) + (SELECT sum((used ->> 'output_tokens')::int) FROM others) AS output_tokens,
              sum(tool_calls) AS tool_calls, sum(message_seq) AS messages, sum(active_ms) AS active_ms,
              (SELECT count(*) FROM runs.human_request) AS human_requests
         FROM runs.run`,
    );
    const numbers = Object.fromEntries(Object.entries(row!).map(([name, value]) => [name, Number(value)]));
    return { ...numbers, active_ms: numbers['active_ms']! + forgottenMs };
  }

  async function shown(): Promise<Record<string, number>> {
    const usage = await team.succeed(getBillingUsage);
    const { runs, model, tool_calls, messages, human_requests, active_seconds: seconds } = usage;
    return { ...runs, ...model, tool_calls, messages, human_requests, active_ms: Math.round(seconds * 1000) };
  }

  const recount = async () => {
    const [days] = await database.query<{ first: string; last: string }>(
      'SELECT min(day)::text AS first, max(day)::text AS last FROM billing.usage_record',
    );
    const env = { PATH: process.env['PATH'], ...environment };
    return promisify(execFile)(process.execPath, [command, days!.first, days!.last], { env });
  };

  it(
    `is what ${runCount} runs of all kinds say, though everything comes twice and in no order`,
    async () => {
      const agents = await Promise.all(procedures.map(makeAgent));
      const agentIds = agents.map(({ agent_id: id }) => id);
      const rubric = { title: 'It says one', description: 'The answer of the agent says "One" somewhere.' };
      await insist(createEvalRubric, { params: { agentId: agentIds[0]! }, body: rubric });
      await insist(generateRevision, { params: { build_id: agents[1]!.build.id }, body: {} });
      const load = mixedLoad(agentIds);
      for (let n = 0; n < kills; n += 1) await killBilling();
      await load;
      await eventually(
        async () => {
          const [judging] = await database.query<{ count: number }>(
            `SELECT count(*)::int FROM runs.run_evaluation WHERE status = 'in_progress'`,
          );
          expect(judging!.count).toBe(0);
          expect(await shown()).toEqual(await truth());
        },
        { timeoutMs: 60_000 },
      );
      expect((await truth())['started']).toBe(runCount);
      expect(bus.repeated).toBeGreaterThan(runCount);
      const before = await shown();
      expect((await recount()).stdout).toBe('Every sum is as its records say.\n');
      expect(await shown()).toEqual(before);
      const { agents: used } = await team.succeed(getAgentUsage);
      const sum = (name: 'runs' | 'input_tokens' | 'output_tokens') =>
        used.reduce((total, agent) => total + agent[name], 0);
      expect([sum('runs'), sum('input_tokens'), sum('output_tokens')]).toEqual([
        before['started'],
        before['input_tokens'],
        before['output_tokens'],
      ]);
    },
    maxTotalMs,
  );
});
