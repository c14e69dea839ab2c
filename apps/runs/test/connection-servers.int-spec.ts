import { getWorkflowExecutionReport, stopRun } from '@aos/contracts';
import {
  eventually,
  startMcpServer,
  startModelServer,
  type ModelServer,
  type TestMcpServer,
  type TestTool,
} from '@aos/testing';
import { connect, startConnectedRuns, type ConnectedRuns } from './connected-runs.js';
import { agentWith, callEnds, linesOf, perform, type Call } from './tools-under-test.js';

const text = (said: string) => ({ content: [{ type: 'text' as const, text: said }] });
const saying = (name: string, said = name): TestTool => ({ name, call: () => text(said) });
/** Never answers; waits for the client to give up. */
const hanging: TestTool = { name: 'hang', call: () => new Promise(() => undefined) };
const reading: TestTool['annotations'] = { readOnlyHint: true };

let runs: ConnectedRuns;
let model: ModelServer;

beforeAll(async () => {
  model = await startModelServer();
  const provider = { COMPATIBLE_BASE_URL: model.openAiUrl, COMPATIBLE_API_KEY: 'k' };
  const limits = { CONNECTION_CALL_TIMEOUT_MS: '3000', SANDBOX_MAX_FILES: '3' };
  runs = await startConnectedRuns({ ...limits, ...provider });
});

afterAll(async () => {
  await runs?.stop();
  await model?.close();
});

describe.each(['legacy', 'modern'] as const)('an MCP server of the %s generation', (generation) => {
  let server: TestMcpServer;
  const started: TestMcpServer[] = [];

  async function start(options: { pageSize?: number } = {}, ...tools: TestTool[]): Promise<string> {
    server = await startMcpServer({ generation, ...options }, ...tools);
    started.push(server);
    return connect(runs, server.url);
  }

  afterAll(() => Promise.all(started.map((one) => one.close())));

  const use = (id: string, ...calls: Call[]) => perform(runs, calls, { connections: [id] });
  const errors = (ends: readonly { error?: string }[]) => ends.map(({ error }) => error);

  it('is asked for its tools once for a run, all pages of them', async () => {
    const tools = ['a', 'b', 'c', 'd', 'e'].map((name) => saying(name));
    const id = await start({ pageSize: 2 }, ...tools);
    const { ends } = await use(id, ['tools__a'], ['tools__c'], ['tools__e'], ['tools__e']);
    expect(ends.map(({ result }) => result)).toEqual(['a', 'c', 'e', 'e']);
    expect(server.of('tools/list')).toHaveLength(3);
    expect(server.of('tools/call')).toHaveLength(4);
  });

  it('is heard when its tools change in the middle of a run', async () => {
    const id = await start(
      {},
      {
        name: 'learn',
        call: async () => {
          server.setTools(saying('learned', 'by heart'));
          return text('ok');
        },
      },
    );
    const { ends } = await use(id, ['tools__learn'], ['tools__learned'], ['tools__learn']);
    expect(ends).toEqual([
      { name: 'tools__learn', result: 'ok' },
      { name: 'tools__learned', result: 'by heart' },
      { name: 'tools__learn', error: expect.stringContaining('There is no tool named tools__learn') },
    ]);
    expect(server.of('tools/list')).toHaveLength(2);
  });

  it('gives what it likes, whatever it has declared of its results', async () => {
    const outputSchema = {
      type: 'object',
      // To find out that the text does not match it would take years.
      properties: { said: { type: 'string', pattern: '^(a+)+$' } },
      required: ['said'],
    } as const;
    const structuredContent = { said: `${'a'.repeat(60)}!` };
    const id = await start(
      {},
      { name: 'say', outputSchema, call: () => ({ ...text(''), structuredContent }) },
    );
    const { ends } = await use(id, ['tools__say']);
    expect(ends).toEqual([{ name: 'tools__say', result: { structured_content: structuredContent } }]);
  });

  it('is told when a run is stopped in the middle of a call', async () => {
    let cancelled = 0;
    const id = await start(
      {},
      {
        name: 'hang',
        call: (_args, { mcpReq }) =>
          new Promise(() => mcpReq.signal.addEventListener('abort', () => (cancelled += 1))),
      },
    );
    const agentId = await agentWith(runs, [...linesOf([['tools__hang']]), 'finish x'], { connections: [id] });
    const { id: runId } = await runs.start(agentId);
    await eventually(() => expect(server.of('tools/call')).toHaveLength(1));
    await runs.call(stopRun, { params: { run_id: runId } });
    await eventually(() => expect(cancelled).toBe(1), { timeoutMs: 5_000 });
    expect((await runs.show(runId)).run.status).toBe('stopped');
    if (generation === 'legacy') {
      expect(server.of('notifications/cancelled')).toHaveLength(1);
      await eventually(() => expect(server.of('DELETE')).toHaveLength(1));
    }
  });

  it('that breaks off is asked again only for what may be repeated', async () => {
    const id = await start({}, { ...saying('read'), annotations: reading }, saying('pay'));
    let calls = 0;
    server.intercept = ({ method }, response) => {
      if (method !== 'tools/call') return false;
      calls += 1;
      // The first of each tool breaks off in the middle of its answer.
      if (calls !== 1 && calls !== 3) return false;
      response
        .writeHead(200, { 'content-type': 'text/event-stream' })
        .write(': begun\n\n', () => response.destroy());
      return true;
    };
    const { run, ends } = await use(id, ['tools__read'], ['tools__pay']);
    expect(ends).toEqual([
      { name: 'tools__read', result: 'read' },
      {
        name: 'tools__pay',
        error: expect.stringMatching(/broke off.*Whether the call took effect is not known/),
      },
    ]);
    const params = { agentId: run.agent_id, runId: run.id };
    const { body } = await runs.call(getWorkflowExecutionReport, { params });
    expect(body.steps.filter(({ kind }) => kind === 'tool').map(({ attempts }) => attempts)).toEqual([2, 1]);
  });

  it('that answers with an error of its own is told to the model', async () => {
    const id = await start(
      {},
      {
        name: 'fail',
        call: () => {
          throw new Error('out of paper');
        },
      },
    );
    expect(errors((await use(id, ['tools__fail'])).ends)).toEqual([expect.stringContaining('out of paper')]);
  });
});

describe('an MCP server', () => {
  it('that forgets the session of a run is given a new one', async () => {
    let calls = 0;
    const server = await startMcpServer(
      { generation: 'legacy' },
      { name: 'count', call: () => text(String((calls += 1))) },
    );
    const id = await connect(runs, server.url);
    server.intercept = ({ method }) => {
      if (method === 'tools/call' && server.of('tools/call').length === 2) server.forgetSessions();
      return false;
    };
    const { ends } = await perform(runs, [['tools__count'], ['tools__count']], { connections: [id] });
    expect(ends.map(({ result }) => result)).toEqual(['1', '2']);
    expect(server.of('initialize')).toHaveLength(2);
    await server.close();
  });

  it('that is away is an error of the tool, after some tries; of the run only when it begins', async () => {
    const server = await startMcpServer({}, saying('first'), saying('pay'));
    const id = await connect(runs, server.url, { name: 'Far away' });
    const steps = [...linesOf([['far_away__first'], ['far_away__pay']]), 'finish done'];
    const agentId = await agentWith(runs, steps, { connections: [id] });
    const lastWords = {
      name: 'first',
      call: () => {
        setImmediate(() => (closed = server.close()));
        return text('last words');
      },
    };
    let closed: Promise<void> | undefined;
    server.setTools(lastWords, saying('pay'));
    const { id: runId } = await runs.start(agentId);
    await eventually(() => expect(closed).toBeDefined());
    const { id: lateId } = await runs.start(agentId);
    await runs.reach(runId, 'completed');
    expect(await callEnds(runs, runId)).toMatchObject([
      { result: 'last words' },
      { error: 'The connection was refused.' },
    ]);
    const { body } = await runs.call(getWorkflowExecutionReport, { params: { agentId, runId } });
    const calls = body.steps.filter(({ name }) => name === 'far_away__pay');
    expect(calls).toMatchObject([{ status: 'failed', attempts: 5 }]);
    expect((await runs.reach(lateId, 'failed')).run.error).toMatchObject({
      code: 'connection_unavailable',
      message: 'The connection "Far away" cannot be used: The connection was refused.',
    });
    await closed;
  });

  it('that is back in time does no harm', async () => {
    const server = await startMcpServer({}, saying('any'));
    const id = await connect(runs, server.url);
    let refused = 0;
    server.intercept = (_request, response) => {
      refused += 1;
      if (refused > 1) return false;
      response.writeHead(503).end();
      return true;
    };
    expect((await perform(runs, [['tools__any']], { connections: [id] })).ends).toMatchObject([
      { result: 'any' },
    ]);
    await server.close();
  });

  it('that falls over a question of the newer generation is asked as an older one', async () => {
    const server = await startMcpServer({ generation: 'legacy' }, saying('any'));
    const id = await connect(runs, server.url);
    server.intercept = ({ method }, response) => {
      if (method !== 'server/discover') return false;
      response.writeHead(500).end('what?');
      return true;
    };
    expect((await perform(runs, [['tools__any']], { connections: [id] })).ends).toMatchObject([
      { result: 'any' },
    ]);
    expect(server.of('initialize')).toHaveLength(1);
    await server.close();
  });

  it('that brings more than the sandbox takes is heard all the same', async () => {
    const picture = { type: 'image' as const, data: 'AAEC', mimeType: 'image/png' };
    const content = [{ type: 'text' as const, text: 'Five:' }, ...Array.from({ length: 5 }, () => picture)];
    const server = await startMcpServer({}, { name: 'paint', call: () => ({ content }) });
    const id = await connect(runs, server.url);
    const { ends } = await perform(runs, [['tools__paint']], { connections: [id] });
    const { text: said, files } = ends[0]!.result as {
      text: string;
      files: { path?: string; error?: string }[];
    };
    expect([said, files.map(({ path }) => path !== undefined)]).toEqual([
      'Five:',
      [true, true, true, false, false],
    ]);
    expect(files[4]!.error).toContain('3');
    expect(server.of('tools/call')).toHaveLength(1);
    await server.close();
  });

  it('that says more than a run can keep is an error', async () => {
    const server = await startMcpServer({}, saying('talk', 'x'.repeat(1_100_000)));
    const id = await connect(runs, server.url);
    expect((await perform(runs, [['tools__talk']], { connections: [id] })).ends).toEqual([
      { name: 'tools__talk', error: expect.stringContaining('too long') },
    ]);
    await server.close();
  });

  it('tells the model of its tools: names, descriptions, schemas', async () => {
    const inputSchema = {
      type: 'object' as const,
      properties: { city: { type: 'string' } },
      required: ['city'],
    };
    const server = await startMcpServer({}, { ...saying('weather'), description: 'How it is.', inputSchema });
    const id = await connect(runs, server.url);
    const toolCalls = [{ name: 'tools__weather', arguments: { city: 'Rome' } }];
    model.script({ kind: 'turn', toolCalls }, { kind: 'turn', text: 'Done' });
    const agentId = await runs.agent('Go.', { model: 'compatible/x', connections: [id], plugins: [] });
    const { id: runId } = await runs.start(agentId);
    await runs.reach(runId, 'completed');
    expect(server.of('tools/call')[0]!.params).toMatchObject({
      name: 'weather',
      arguments: { city: 'Rome' },
    });
    const { tools } = model.requests[0] as { tools: { function: { name: string } }[] };
    expect(tools.find(({ function: { name } }) => name === 'tools__weather')?.function).toMatchObject({
      description: 'How it is.',
      parameters: inputSchema,
    });
    await server.close();
  });

  it('that is silent is given up when its time is over', async () => {
    const server = await startMcpServer({}, hanging);
    const id = await connect(runs, server.url);
    const { ends } = await perform(runs, [['tools__hang']], { connections: [id] });
    expect(ends).toMatchObject([
      { error: 'The server did not answer in time. Whether the call took effect is not known.' },
    ]);
    await server.close();
  });
});
