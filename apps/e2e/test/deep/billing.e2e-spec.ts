import {
  createAgent,
  deleteRun,
  getBillingEntitlements,
  getBillingUsage,
  listEvents,
  putBudget,
  setTeamPlan,
  startRun,
  type BillingUsage,
  type EventEnvelope,
} from '@aos/contracts';
import { eventually } from '@aos/testing';
import type { ApiClient } from '../../src/api-client.js';
import { envelopesOf, receivedAt } from '../../src/received-events.js';
import { makeAgent, steps } from '../../src/sample-agents.js';
import { makeWebhook } from '../../src/sample-webhooks.js';
import { servicesBehindGateway, startStack, type Stack } from '../../src/stack.js';
import { connectAdmin, newTeam, type Team } from '../../src/team.js';

describe('what teams use', () => {
  let stack: Stack;
  let admin: ApiClient;
  let team: Team;

  beforeAll(async () => {
    stack = await startStack({
      together: false,
      services: servicesBehindGateway,
      environment: { PLAN_CACHE_MS: '0', USAGE_REPORT_EVERY_MS: '200', STORAGE_MEASURE_EVERY_MS: '200' },
    });
    admin = await connectAdmin(stack);
    team = await newTeam(admin);
  });

  afterAll(async () => stack?.stop());

  const usage = (of = team) =>
    of.client.succeed<BillingUsage>(getBillingUsage, { params: { teamId: of.id } });
  const start = async (agentId: string, of = team) => {
    const body = { agent_id: agentId, message: 'Hello', wait_seconds: of === team ? 0 : 20 };
    const answer = await of.client.call(startRun, { params: { teamId: of.id }, body });
    return { status: answer.status, body: answer.body as { run_id: string; error: string } };
  };
  const killBilling = async () => {
    const billing = stack.processes.filter(({ service }) => service === 'billing').at(-1)!;
    billing.signal('SIGKILL');
    await billing.exited;
  };

  /** As the tables of the runs say it. */
  const counted = async () => {
    const [row] = await stack.database.query<Record<string, string>>(
      `SELECT count(*) FILTER (WHERE status = 'completed') AS completed,
              count(*) FILTER (WHERE status = 'failed') AS failed,
              sum(input_tokens) AS input_tokens, sum(output_tokens) AS output_tokens,
              sum(tool_calls) AS tool_calls, sum(message_seq) AS messages, sum(active_ms) AS active_ms
         FROM runs.run WHERE team_id = $1`,
      [team.id],
    );
    return Object.fromEntries(Object.entries(row!).map(([name, value]) => [name, Number(value)]));
  };

  it('is what their runs say, exactly, though billing is killed meanwhile', async () => {
    const worker = await makeAgent(team, steps('say One', 'tool list_files {}', 'wait 5', 'finish Done'));
    const failing = await makeAgent(team, steps('say One', 'fail Broken'));
    const agents = Array.from({ length: 40 }, (_, n) => (n % 5 === 0 ? failing : worker));
    const starts = Promise.all(agents.map((agentId) => start(agentId)));
    await killBilling();
    expect(new Set((await starts).map(({ status }) => status))).toEqual(new Set([201]));
    await stack.start('billing');
    await eventually(
      async () => {
        const truth = await counted();
        expect([truth['completed'], truth['failed']]).toEqual([32, 8]);
        const { runs, model, tool_calls, messages, active_seconds: seconds } = await usage();
        expect({ ...runs, ...model, tool_calls, messages, active_ms: Math.round(seconds * 1000) }).toEqual({
          ...truth,
          started: 40,
          stopped: 0,
        });
      },
      { timeoutMs: 60_000 },
    );
  });

  it('is also what was delivered, called by MCP and stored', async () => {
    const other = await newTeam(admin);
    await makeWebhook(other, stack.receiver.url('/ends'), ['run.completed']);
    const write = 'tool write_file {"path": "note.txt", "content": "12345"}';
    const writer = await makeAgent(other, steps(write, 'finish Done'));
    const runIds: string[] = [];
    for (let n = 0; n < 3; n += 1) runIds.push((await start(writer, other)).body.run_id);
    for (let id = 1; id <= 2; id += 1) {
      const answer = await fetch(`${stack.urls[0]!}/v2/mcp`, {
        method: 'POST',
        headers: { authorization: `Bearer ${other.key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/list' }),
      });
      expect(answer.status).toBe(200);
    }
    const used = { runs: { completed: 3 }, webhook_deliveries: 3, mcp_calls: 2 };
    await eventually(async () => expect(await usage(other)).toMatchObject({ ...used, storage_bytes: 3 * 5 }));
    // What is deleted takes no room any more, and was used all the same.
    await other.client.succeed(deleteRun, { params: { run_id: runIds[0]! } });
    await eventually(async () => expect(await usage(other)).toMatchObject({ ...used, storage_bytes: 2 * 5 }));
  });

  it('ends at the budget that the team sets, which holds and lets work go on while billing is away', async () => {
    const other = await newTeam(admin);
    const agentId = await makeAgent(other, steps('finish Done'));
    await makeWebhook(other, stack.receiver.url('/budget'), ['budget.warning', 'budget.reached']);
    const allow = (runs: number) =>
      other.client.succeed(putBudget, {
        params: { teamId: other.id },
        body: { max_runs: runs, on_reached: 'stop' },
      });
    const known = (runs: number) =>
      eventually(async () => {
        const copies = await stack.database.query(
          'SELECT 1 FROM runs.team_budget WHERE team_id = $1 AND max_runs = $2',
          [other.id, runs],
        );
        expect(copies).toHaveLength(1);
      });
    await allow(2);
    await known(2);
    const outcomes = async (count: number) => {
      const answers = [];
      for (let n = 0; n < count; n += 1) answers.push(await start(agentId, other));
      return answers.map(({ status, body }) => (status === 201 ? status : `${status} ${body.error}`));
    };
    expect(await outcomes(3)).toEqual([201, 201, '403 budget_exceeded']);
    const told = () => envelopesOf(receivedAt(stack.receiver, '/budget')).map(({ event }) => event);
    await eventually(() => expect(told().sort()).toEqual(['budget.reached', 'budget.warning']));
    // Those who did not ask for these events by name are not surprised by them.
    const feed = async (query: Record<string, string>) => {
      const page = await other.client.succeed<{ events: EventEnvelope[] }>(listEvents, {
        params: { teamId: other.id },
        query,
      });
      return page.events.map(({ event }) => event).filter((event) => event.startsWith('budget.'));
    };
    expect(await feed({})).toEqual([]);
    expect(await feed({ types: 'budget.warning,budget.reached' })).toEqual([
      'budget.warning',
      'budget.reached',
    ]);
    await allow(3);
    await known(3);
    await killBilling();
    expect(await outcomes(2)).toEqual([201, '403 budget_exceeded']);
    await stack.start('billing');
    await eventually(async () => expect((await usage(other)).runs.started).toBe(3), { timeoutMs: 60_000 });
  });

  it('is held to the plan that the administrator sets', async () => {
    const other = await newTeam(admin);
    const set = await admin.call(setTeamPlan, { params: { teamId: other.id }, body: { plan: 'trial' } });
    expect(set.body).toMatchObject({ team_id: other.id, team: { plan: 'trial' } });
    const entitlements = () =>
      other.client.succeed<{ plan: string; limits: Record<string, number>; usage: Record<string, number> }>(
        getBillingEntitlements,
        { params: { teamId: other.id } },
      );
    await eventually(async () => expect((await entitlements()).plan).toBe('trial'));
    await eventually(async () => {
      const { headers } = await other.client.call(getBillingEntitlements, { params: { teamId: other.id } });
      expect(headers['ratelimit-limit']).toBe('600');
    });
    await eventually(async () => {
      const copies = await stack.database.query(
        `SELECT 1 FROM agents_and_revisions.team_plan WHERE team_id = $1`,
        [other.id],
      );
      expect(copies).toHaveLength(1);
    });
    const made = await Promise.all(
      Array.from({ length: 10 }, () => other.client.call(createAgent, { params: { teamId: other.id } })),
    );
    const refused = made.filter(({ status }) => status !== 201);
    expect(refused.map(({ status, body }) => [status, (body as { error: string }).error])).toEqual(
      Array.from({ length: 7 }, () => [403, 'entitlement_exceeded']),
    );
    expect((await entitlements()).usage).toMatchObject({
      agents: 3,
      webhooks: 0,
      queues: 0,
      concurrent_runs: 0,
    });
  });
});
