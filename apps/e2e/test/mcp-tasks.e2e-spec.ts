import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getRun, listRuns, postRunMessage, updateAgent } from '@aos/contracts';
import { startPostgres, startRedis, type EmbeddedStore } from '@aos/local-infra';
import { eventually, refusalOf } from '@aos/testing';
import { createTaskSessionFromClient, resultFromTaskOutcome } from '@modelcontextprotocol/ext-tasks/client';
import { Redis } from 'ioredis';
import { z } from 'zod';
import { connectMcp, framing, sendAsTaskClient, sendMessage, type RpcAnswer } from '../src/mcp-clients.js';
import { makeAgent, steps } from '../src/sample-agents.js';
import { startStack, type Stack } from '../src/stack.js';
import { connectAdmin, newKey, newTeam, type Team } from '../src/team.js';

/** What the session sends; it does not say of which type. */
const messageSchema = z.looseObject({ method: z.string(), params: z.record(z.string(), z.unknown()) });

describe('runs as tasks', () => {
  let dataDir: string;
  let stores: { postgres: EmbeddedStore; redis: EmbeddedStore };
  let stack: Stack;
  let team: Team;
  let other: Team;

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'aos-tasks-'));
    const [postgres, redis] = await Promise.all([
      startPostgres({ dataDir: join(dataDir, 'postgres') }),
      startRedis({ dataDir: join(dataDir, 'redis') }),
    ]);
    stores = { postgres, redis };
    stack = await startStack({
      gateways: 2,
      services: ['agents-and-revisions', 'runs'],
      stores: { databaseUrl: postgres.url, redisUrl: redis.url },
    });
    const admin = await connectAdmin(stack);
    [team, other] = [await newTeam(admin, 'One'), await newTeam(admin, 'Other')];
  });

  afterAll(async () => {
    await stack?.stop();
    await Promise.all([stores?.postgres.stop(), stores?.redis.stop()]);
    await rm(dataDir, { recursive: true, force: true });
  });

  let gateway = 0;
  const send = (method: string, params: Record<string, unknown>, key = team.key): Promise<RpcAnswer> =>
    sendAsTaskClient(stack.urls[gateway]!, key, method, params);

  async function start(procedure: string, more: Record<string, unknown> = {}): Promise<string> {
    const given = { agent_id: await makeAgent(team, procedure), ...more };
    const { result } = await send('tools/call', { name: 'start_run', arguments: given });
    expect(result).toMatchObject({ resultType: 'task', status: 'working', ttlMs: null });
    return result.taskId as string;
  }

  function taskIn(taskId: string, status: string): Promise<RpcAnswer['result']> {
    return eventually(async () => {
      const { result, error } = await send('tasks/get', { taskId });
      if (result?.status !== status) throw new Error(`The task is ${JSON.stringify(result ?? error)}`);
      return result;
    });
  }

  it('have the id of their run, which came through MCP, and its result', async () => {
    const taskId = await start(steps('finish All done'), { wait_seconds: 0, metadata: { order: '7' } });
    const task = await taskIn(taskId, 'completed');
    expect(task.result).toMatchObject({
      content: [{ type: 'text', text: 'All done' }],
      structuredContent: { run_id: taskId, status: 'completed', run: { source: 'mcp', result: 'All done' } },
    });
    const { run } = await team.client.succeed<{ run: object }>(getRun, { params: { run_id: taskId } });
    // It may have been judged in between.
    expect({ ...run, eval_summary: null }).toEqual({
      ...task.result.structuredContent.run,
      eval_summary: null,
    });
  });

  it('that failed are completed, with an error', async () => {
    const task = await taskIn(await start(steps('fail No ink')), 'completed');
    expect(task.result).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('No ink') }],
      structuredContent: { status: 'failed' },
    });
  });

  it('are cancelled by stopping the run, as often as one likes', async () => {
    const taskId = await start(steps('wait 600000', 'finish Never'));
    for (let times = 0; times < 2; times += 1) {
      const { result } = await send('tasks/cancel', { taskId });
      expect(Object.keys(result).sort()).toEqual(['_meta', 'resultType']);
    }
    await taskIn(taskId, 'cancelled');
    const { status } = await team.client.succeed<{ status: string }>(getRun, { params: { run_id: taskId } });
    expect(status).toBe('stopped');
  });

  it('ask what their run asks; a refusal leaves it open, an answer is the answer', async () => {
    const taskId = await start(steps('ask Which colour? | Red | Blue', 'finish It is {{answer}}'));
    const { inputRequests } = await taskIn(taskId, 'input_required');
    const [[id, request]] = Object.entries(inputRequests) as [[string, { params: object }]];
    expect(request).toMatchObject({
      method: 'elicitation/create',
      params: { requestedSchema: { properties: { 'Which colour?': { enum: ['Red', 'Blue'] } } } },
    });
    const update = (inputResponses: object) => send('tasks/update', { taskId, inputResponses });
    for (const given of [
      { [id!]: { action: 'decline' } },
      { [id!]: { action: 'cancel' } },
      { [randomUUID()]: { action: 'accept', content: { 'Which colour?': 'Red' } } },
      {},
    ]) {
      expect((await update(given)).result).toMatchObject({ resultType: 'complete' });
    }
    await taskIn(taskId, 'input_required');
    const wrong = await update({ [id!]: { action: 'accept', content: {} } });
    expect(wrong.error).toMatchObject({ code: -32602, data: { error: 'invalid_request' } });
    const accepted = { [id!]: { action: 'accept', content: { 'Which colour?': 'Red' } } };
    expect((await update(accepted)).result).toMatchObject({ resultType: 'complete' });
    const task = await taskIn(taskId, 'completed');
    expect(task.result.content[0].text).toBe('It is Red');
    expect((await update(accepted)).result).toMatchObject({ resultType: 'complete' });
  });

  it('are driven by the official session, with a form for the person', async () => {
    const client = await connectMcp(stack.urls[0]!, { key: team.key });
    const session = createTaskSessionFromClient(client, {
      endpointId: 'tests',
      v2RequestFraming: framing,
      rawDispatch: async (request) => {
        const message = messageSchema.parse(request);
        const { result, error } = await sendMessage(stack.urls[0]!, team.key, message);
        return error ? { kind: 'error', error: error as never } : { kind: 'result', result };
      },
      onInputRequest: async () => ({ action: 'accept', content: { approved: true, comment: 'Go' } }) as never,
    });
    const agent = await makeAgent(team, steps('approve Shall I?', 'finish Approved'));
    const execution = await session.callTool('start_run', { agent_id: agent });
    const { outcome } = await execution.settle();
    expect(resultFromTaskOutcome(outcome)).toMatchObject({ content: [{ text: 'Approved' }] });
    await session.close();
    await client.close();
  });

  it('keep their end when a message reopens the run', async () => {
    const taskId = await start(steps('finish First', 'wait 600000', 'finish Second'));
    const before = await taskIn(taskId, 'completed');
    await team.client.succeed(postRunMessage, { params: { run_id: taskId }, body: { message: 'Go on' } });
    const reopened = await send('tasks/get', { taskId });
    expect(reopened.result).toMatchObject({
      status: 'completed',
      result: { content: [{ text: 'First' }], structuredContent: { status: 'completed' } },
    });
    expect(reopened.result.lastUpdatedAt).toBe(before.lastUpdatedAt);
    expect((await send('tasks/cancel', { taskId })).result).toMatchObject({ resultType: 'complete' });
    const { status } = await team.client.succeed<{ status: string }>(getRun, { params: { run_id: taskId } });
    expect(status).toBe('running');
  });

  it('of another team are as unknown as those that never were', async () => {
    const taskId = await start(steps('approve Shall I?'));
    await taskIn(taskId, 'input_required');
    for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel']) {
      const answers = await Promise.all(
        [taskId, taskId.toUpperCase(), randomUUID(), 'x', '%00', 'x'.repeat(5_000)].map(async (id) => {
          const { error } = await send(method, { taskId: id, inputResponses: {} }, other.key);
          return JSON.stringify(error);
        }),
      );
      expect(answers[0]).toContain('-32602');
      expect(new Set(answers).size).toBe(1);
    }
    await taskIn(taskId, 'input_required');
  });

  it('need the scope of what they stand for', async () => {
    const taskId = await start(steps('approve Shall I?'));
    const { key } = await newKey(team, { scopes: ['mcp:call', 'runs:read'] });
    expect((await send('tasks/get', { taskId }, key)).result).toMatchObject({ taskId });
    for (const method of ['tasks/update', 'tasks/cancel']) {
      const { error } = await send(method, { taskId, inputResponses: {} }, key);
      expect(error).toMatchObject({ data: { error: 'insufficient_scope' } });
    }
  });

  it('are only for clients that declare them', async () => {
    const agent = await makeAgent(team, steps('finish Done'));
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const call = { name: 'start_run', arguments: { agent_id: agent, wait_seconds: 30 }, _meta };
    const { result } = await sendMessage(stack.urls[0]!, team.key, { method: 'tools/call', params: call });
    expect(result).toMatchObject({ resultType: 'complete', structuredContent: { status: 'completed' } });
    const params = { taskId: result.structuredContent.run_id as string, _meta };
    const { error } = await sendMessage(stack.urls[0]!, team.key, { method: 'tasks/get', params });
    expect(error).toMatchObject({ code: -32021 });
  });

  it('are one under one Idempotency-Key', async () => {
    const params = { name: 'start_run', arguments: { agent_id: await makeAgent(team) } };
    const headers = { 'idempotency-key': randomUUID() };
    const ids = await Promise.all(
      stack.urls.map(async (url) => {
        const call = () => sendAsTaskClient(url, team.key, 'tools/call', params, { headers });
        const { result } = await eventually(async () => {
          const answer = await call();
          if (answer.result?.resultType !== 'task') throw new Error(JSON.stringify(answer));
          return answer;
        });
        return result.taskId as string;
      }),
    );
    expect(new Set(ids).size).toBe(1);
  });

  describe('agents as tools', () => {
    const query = '?toolsets=agents-as-tools';

    async function namedAgent(name: string, procedure: string): Promise<string> {
      const agent = await makeAgent(team, procedure);
      await team.client.succeed(updateAgent, {
        params: { agent_id: agent },
        body: { name, description: `Knows all about ${name}.` },
      });
      return agent;
    }

    it('are named by their slug, and numbered; a call answers with the result', async () => {
      await namedAgent('Invoice Checker', steps('say Looking', 'finish {{message}}, checked'));
      await namedAgent('invoice checker!', steps('fail No ink'));
      const client = await connectMcp(stack.urls[0]!, { generation: '2025-11-25', key: team.key, query });
      const { tools } = await client.listTools();
      const names = tools.map(({ name }) => name);
      expect(names).toEqual(expect.arrayContaining(['agent_invoice_checker', 'agent_invoice_checker_2']));
      expect(names.every((name) => name.startsWith('agent_'))).toBe(true);
      expect(tools.find(({ name }) => name === 'agent_invoice_checker')!.description).toContain(
        'Knows all about',
      );
      const progress: string[] = [];
      const result = await client.callTool(
        { name: 'agent_invoice_checker', arguments: { message: 'Number 7' } },
        { onprogress: ({ message }) => void progress.push(message!) },
      );
      expect(result).toMatchObject({
        content: [{ type: 'text', text: 'Number 7, checked' }],
        structuredContent: { status: 'completed', run: { source: 'mcp' } },
      });
      expect(progress[0]).toContain('The run ');
      const failed = await client.callTool({ name: 'agent_invoice_checker_2', arguments: { message: 'x' } });
      expect(failed).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('No ink') }] });
      const wrong = await client.callTool({ name: 'agent_invoice_checker', arguments: {} });
      expect(refusalOf(wrong)).toEqual({
        error: 'invalid_request',
        message: expect.stringContaining('message:'),
      });
      await client.close();
    });

    it('answer with a task, unless the call sets wait_seconds', async () => {
      await namedAgent('Sorter', steps('finish Sorted'));
      const call = (given: object) => {
        const params = { name: 'agent_sorter', arguments: { message: 'x', ...given } };
        return sendAsTaskClient(stack.urls[0]!, team.key, 'tools/call', params, { query });
      };
      expect((await call({})).result).toMatchObject({ resultType: 'task' });
      expect((await call({ wait_seconds: 30 })).result).toMatchObject({
        resultType: 'complete',
        structuredContent: { status: 'completed', run: { result: 'Sorted' } },
      });
    });

    it("come beside other tool sets, and are the own team's only", async () => {
      await namedAgent('Night watch', steps('finish Quiet'));
      const both = await connectMcp(stack.urls[0]!, {
        key: team.key,
        query: '?toolsets=runs,agents-as-tools',
      });
      const names = (await both.listTools()).tools.map(({ name }) => name);
      expect(names).toEqual(expect.arrayContaining(['start_run', 'agent_night_watch']));
      const stranger = await connectMcp(stack.urls[0]!, { key: other.key, query });
      expect((await stranger.listTools()).tools).toEqual([]);
      const call = stranger.callTool({ name: 'agent_night_watch', arguments: { message: 'x' } });
      await expect(call).rejects.toMatchObject({ code: -32602 });
      await Promise.all([both.close(), stranger.close()]);
    });

    it.each([
      ['agents:read', ['mcp:call', 'runs:read', 'runs:write']],
      ['runs:write', ['mcp:call', 'runs:read', 'agents:read']],
    ] as const)('are neither seen nor called by name without %s', async (_, scopes) => {
      const agentId = await namedAgent('Keeper of keys', steps('finish Opened'));
      const { key } = await newKey(team, { scopes });
      const client = await connectMcp(stack.urls[0]!, { key, query: `${query},runs` });
      const names = (await client.listTools()).tools.map(({ name }) => name);
      expect(names).toContain('get_run');
      expect(names.filter((name) => name.startsWith('agent_'))).toEqual([]);
      const params = { name: 'agent_keeper_of_keys', arguments: { message: 'Open' } };
      await expect(client.callTool(params)).rejects.toMatchObject({ code: -32602 });
      const asTask = await sendAsTaskClient(stack.urls[0]!, key, 'tools/call', params, { query });
      expect(asTask).toMatchObject({
        error: { code: -32602, message: 'Unknown tool: agent_keeper_of_keys' },
      });
      const { total } = await team.client.succeed<{ total: number }>(listRuns, {
        params: { teamId: team.id },
        query: { agent_id: agentId },
      });
      expect(total).toBe(0);
      await client.close();
    });

    it('are tasks where the client can', async () => {
      await namedAgent('Patient one', steps('approve Shall I?', 'finish Yes'));
      const params = { name: 'agent_patient_one', arguments: { message: 'Go' } };
      const { result } = await sendAsTaskClient(stack.urls[0]!, team.key, 'tools/call', params, { query });
      expect(result).toMatchObject({ resultType: 'task' });
      await taskIn(result.taskId as string, 'input_required');
    });
  });

  // The last: it ends one of the gateways.
  it('outlive the gateway, and all that is in Redis', async () => {
    const taskId = await start(steps('approve Shall I?', 'wait 300', 'finish Survived'));
    const { inputRequests } = await taskIn(taskId, 'input_required');
    const [id] = Object.keys(inputRequests as object);
    const killed = stack.processes.find(({ service }) => service === 'gateway')!;
    killed.signal('SIGKILL');
    await killed.exited;
    // Whichever of the two it was: the other one is still there.
    const alive = await Promise.all(stack.urls.map((url) => fetch(`${url}/healthz`).then(isOk, () => false)));
    expect([...alive].sort()).toEqual([false, true]);
    gateway = alive.indexOf(true);
    const redis = new Redis(stores.redis.url);
    await redis.flushall();
    await redis.quit();
    await taskIn(taskId, 'input_required');
    const inputResponses = { [id!]: { action: 'accept', content: { approved: true } } };
    await eventually(async () => {
      const { error } = await send('tasks/update', { taskId, inputResponses });
      if (error) throw new Error(error.message);
    });
    const task = await taskIn(taskId, 'completed');
    expect(task.result.content[0].text).toBe('Survived');
  });
});

function isOk({ ok }: Response): boolean {
  return ok;
}
