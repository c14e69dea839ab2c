import {
  createAgent,
  getBillingEntitlements,
  getBillingUsage,
  setTeamPlan,
  startRun,
  type BillingUsage,
} from '@aos/contracts';
import { eventually } from '@aos/testing';
import { makeAgent, steps } from '../src/sample-agents.js';
import { servicesBehindGateway, startStack, type Stack } from '../src/stack.js';
import { connectAdmin, newTeam, type Team } from '../src/team.js';

describe('what teams use', () => {
  let stack: Stack;
  let team: Team;

  beforeAll(async () => {
    stack = await startStack({ services: servicesBehindGateway, environment: { PLAN_CACHE_MS: '0' } });
    team = await newTeam(await connectAdmin(stack));
  });

  afterAll(async () => stack?.stop());

  const usage = () => team.client.succeed<BillingUsage>(getBillingUsage, { params: { teamId: team.id } });
  const start = async (agentId: string) =>
    team.client.call(startRun, {
      params: { teamId: team.id },
      body: { agent_id: agentId, message: 'Hello' },
    });

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
    const billing = stack.processes.find(({ service }) => service === 'billing')!;
    billing.signal('SIGKILL');
    await billing.exited;
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

  it('is held to the plan that the administrator sets', async () => {
    const other = await newTeam(await connectAdmin(stack));
    const admin = await connectAdmin(stack);
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
