import { getWorkflowExecutionReport } from '@aos/contracts';
import {
  appEntry,
  eventually,
  startMcpServer,
  startRedisMonitor,
  startServiceProcess,
  type RedisMonitor,
  type ServiceProcess,
  type TestMcpServer,
} from '@aos/testing';
import { connect, connectedEnvironment } from '../connected-runs.js';
import {
  agentWith,
  callEnds,
  linesOf,
  perform,
  startKillableRuns,
  type KillableRuns,
} from '../tools-under-test.js';

const secrets = { token: 'token-that-nobody-may-read', header: 'header-that-nobody-may-read' };
const text = (said: string) => ({ content: [{ type: 'text' as const, text: said }] });

describe('the tools of connections', () => {
  let runs: KillableRuns;
  let connections: ServiceProcess;
  let server: TestMcpServer;
  let monitor: RedisMonitor;
  let id: string;
  let isHanging = true;

  beforeAll(async () => {
    const slow = () => (isHanging ? new Promise<never>(() => undefined) : text('answered'));
    server = await startMcpServer(
      {},
      { name: 'pay', call: slow },
      { name: 'read', call: slow, annotations: { readOnlyHint: true } },
      { name: 'repeat', call: (args) => text(JSON.stringify({ args, ...sent() })) },
      {
        name: 'structured',
        call: () => ({ content: [], structuredContent: { [sent().authorization]: sent() } }),
      },
      {
        name: 'file',
        call: () => ({ content: [{ type: 'resource', resource: { uri: 'x://', text: sent().key } }] }),
      },
      { name: 'fail', call: () => ({ ...text(`You sent ${sent().authorization}`), isError: true }) },
      {
        name: 'fault',
        call: () => {
          throw new Error(`Bad key ${sent().key}`);
        },
      },
      { name: 'described', description: `Takes ${secrets.header}`, call: () => text('ok') },
    );
    runs = await startKillableRuns({ RUN_LEASE_MS: '1500', LOG_LEVEL: 'trace', ...connectedEnvironment });
    connections = await startServiceProcess(appEntry('connections'), runs.environment);
    monitor = await startRedisMonitor(runs.environment['REDIS_URL']!);
    const headers = {
      plaintext: { 'X-Version': '2022-06-28' },
      secret: { Authorization: `Bearer ${secrets.token}`, 'X-Key': secrets.header },
    };
    id = await connect(runs, server.url, { auth_method: 'headers', headers });
  });

  afterAll(async () => {
    monitor?.stop();
    await connections?.stop();
    await runs?.stop();
    await server?.close();
  });

  /** What the last request brought. */
  function sent() {
    const { authorization = '', 'x-key': key = '', 'x-version': version } = server.seen.at(-1)!.headers;
    return { authorization, key: String(key), version };
  }

  async function killedInside(tool: string) {
    isHanging = true;
    const before = server.of('tools/call').length;
    const worker = await runs.startWorker();
    const agentId = await agentWith(runs, [...linesOf([[tool]]), 'finish {{result}}'], { connections: [id] });
    const { id: runId } = await runs.start(agentId);
    await eventually(() => expect(server.of('tools/call')).toHaveLength(before + 1));
    await runs.kill(worker);
    isHanging = false;
    const next = await runs.startWorker();
    const { run } = await runs.reach(runId, 'completed');
    const { body } = await runs.call(getWorkflowExecutionReport, { params: { agentId, runId } });
    await runs.kill(next);
    return {
      result: run.result,
      calls: server.of('tools/call').length - before,
      steps: body.steps
        .filter(({ kind }) => kind === 'tool')
        .map(({ status, attempts }) => [status, attempts]),
    };
  }

  it('are not called again if nobody knows whether they took effect', async () => {
    expect(await killedInside('tools__pay')).toEqual({
      result: expect.stringContaining('Whether it took effect is not known'),
      calls: 1,
      steps: [['failed', 1]],
    });
  });

  it('are called again if they only read', async () => {
    expect(await killedInside('tools__read')).toEqual({
      result: 'answered',
      calls: 2,
      steps: [['completed', 2]],
    });
  });

  it('tell nobody what they were called with', async () => {
    const worker = await runs.startWorker();
    const { run } = await perform(
      runs,
      ['repeat', 'structured', 'file', 'fail', 'fault', 'nothing', 'described'].map((name) => [
        `tools__${name}`,
      ]),
      { connections: [id] },
    );
    const refused = await refusedRun();
    // It was sent, and what is no secret is told.
    expect(server.of('tools/call').at(-1)!.headers).toMatchObject({ 'x-key': secrets.header });
    const ends = JSON.stringify(await callEnds(runs, run.id));
    expect(ends).toContain('[hidden]');
    expect(ends).toContain('2022-06-28');
    const places = {
      tables: await everyRow('runs'),
      log: worker.output(),
      commands: monitor.commands.map((command) => command.join(' ')).join('\n'),
    };
    for (const [place, content] of Object.entries(places)) {
      expect([place, Object.values(secrets).filter((secret) => content.includes(secret))]).toEqual([
        place,
        [],
      ]);
    }
    // The search finds what is there.
    expect(places.tables).toContain(refused);
    expect(places.log).toContain('runs');
    await runs.kill(worker);
  });

  /** The server repeats the credentials in its refusal. */
  async function refusedRun(): Promise<string> {
    server.intercept = ({ headers }, response) => {
      response
        .writeHead(500, { 'x-sent': String(headers.authorization) })
        .end(`${String(headers['x-key'])} is wrong`);
      return true;
    };
    const { id: runId } = await runs.start(await agentWith(runs, ['finish done'], { connections: [id] }));
    await runs.reach(runId, 'failed');
    server.intercept = undefined;
    return runId;
  }

  async function everyRow(schema: string): Promise<string> {
    const tables = await runs.database.query<{ name: string }>(
      `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = $1`,
      [schema],
    );
    const texts: string[] = [];
    for (const { name } of tables) {
      const rows = await runs.database.query(
        `SELECT row_to_json(t)::text AS row FROM ${schema}.${name} AS t`,
      );
      texts.push(JSON.stringify(rows));
    }
    return texts.join('\n');
  }
});
