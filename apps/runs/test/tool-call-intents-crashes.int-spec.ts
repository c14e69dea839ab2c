import type { ServerResponse } from 'node:http';
import { getAgentRun, getWorkflowExecutionReport } from '@aos/contracts';
import { eventually, type ServiceProcess } from '@aos/testing';
import {
  callEnds,
  hang,
  installGate,
  linesOf,
  startKillableRuns,
  startSite,
  type Call,
  type KillableRuns,
  type Site,
} from './tools-under-test.js';

describe('tool calls whose worker goes away', () => {
  let runs: KillableRuns;
  let site: Site;
  /** The one that takes runs; who comes after a lost one is the next to be lost. */
  let worker: ServiceProcess;
  const held: ServerResponse[] = [];

  beforeAll(async () => {
    site = await startSite({
      '/hang': hang,
      '/second-time': (response) => {
        if (site.at('/second-time').length > 1) response.end('answered');
      },
      '/held': (response) => {
        held.push(response);
        if (held.length > 1) response.end('for the second');
      },
      '/order': (response) => response.end('ordered'),
    });
    runs = await startKillableRuns({ RUN_LEASE_MS: '1500', EGRESS_ALLOW_CIDRS: '127.0.0.0/8' });
    worker = await runs.startWorker();
  });

  afterAll(async () => {
    await runs?.stop();
    await site?.close();
  });

  const request = (method: string, path: string): Call => ['http_request', { method, url: site.url(path) }];
  const agent = (...calls: Call[]) => runs.agent([...linesOf(calls), 'finish {{result}}']);

  /** The tool calls of the run as its report shows them. */
  async function reported(agentId: string, runId: string) {
    const { body } = await runs.call(getWorkflowExecutionReport, { params: { agentId, runId } });
    return body.steps
      .filter(({ kind }) => kind === 'tool')
      .map(({ name, status, attempts, completed_at: ended }) => [name, status, attempts, ended !== null]);
  }

  /** A run whose worker is killed while it waits for an answer. Another worker is there then. */
  async function startsWith(agentId: string, path: string): Promise<string> {
    const { id } = await runs.start(agentId);
    await eventually(() => expect(site.at(path)).toHaveLength(1));
    expect(await reported(agentId, id)).toEqual([['http_request', 'running', 1, false]]);
    await runs.kill(worker);
    worker = await runs.startWorker();
    return id;
  }

  it('are not made again if nobody knows whether they took effect', async () => {
    const agentId = await agent(request('POST', '/hang'));
    const id = await startsWith(agentId, '/hang');
    const { run } = await runs.reach(id, 'completed');
    expect(run.result).toContain('interrupted');
    expect((await callEnds(runs, id)).map(({ error }) => error)).toEqual([
      expect.stringContaining('Whether it took effect is not known'),
    ]);
    expect(await reported(agentId, id)).toEqual([['http_request', 'failed', 1, true]]);
    expect(site.at('/hang')).toHaveLength(1);
  });

  it('are made again if that does no harm', async () => {
    const agentId = await agent(request('GET', '/second-time'));
    const id = await startsWith(agentId, '/second-time');
    expect((await runs.reach(id, 'completed')).run.result).toContain('answered');
    expect(await reported(agentId, id)).toEqual([['http_request', 'completed', 2, true]]);
    expect(site.at('/second-time')).toHaveLength(2);
  });

  it('write a file once, and tell of it once', async () => {
    const gate = await installGate(runs.database, 'step_gate', {
      table: 'run_step',
      when: `OLD.status = 'running' AND NEW.status <> 'running'`,
    });
    await gate.close();
    const agentId = await agent(['write_file', { path: 'a.txt', content: 'once' }]);
    const { id } = await runs.start(agentId);
    const told = async () => (await runs.events(id)).filter((event) => event === 'run.file.created');
    await eventually(async () =>
      expect([await gate.waiting(), await told()]).toEqual([1, ['run.file.created']]),
    );
    await runs.kill(worker);
    await gate.open();
    worker = await runs.startWorker();
    await runs.reach(id, 'completed');
    expect(await told()).toHaveLength(1);
    expect(await reported(agentId, id)).toEqual([['write_file', 'completed', 2, true]]);
    expect((await runs.call(getAgentRun, { params: { agentId, runId: id } })).body.files_total).toBe(1);
  });

  it('are not made by a worker that was frozen and has lost the run', async () => {
    const frozen = worker;
    const agentId = await agent(request('GET', '/held'), request('POST', '/order'));
    const { id } = await runs.start(agentId);
    await eventually(() => expect(held).toHaveLength(1));
    frozen.signal('SIGSTOP');
    // The answer lies ready when it wakes: it would go on with the next call at once.
    held[0]!.end('for the first');
    const other = await runs.startWorker();
    expect((await runs.reach(id, 'completed')).run.result).toContain('ordered');
    expect(site.at('/order')).toHaveLength(1);
    frozen.signal('SIGCONT');
    await other.stop();
    // The one that woke is alone now: what it does proves that it has found its feet.
    const { id: next } = await runs.start(await runs.agent(['finish Awake']));
    await runs.reach(next, 'completed');
    expect(site.at('/order')).toHaveLength(1);
    expect(await reported(agentId, id)).toEqual([
      ['http_request', 'completed', 2, true],
      ['http_request', 'completed', 1, true],
    ]);
  });
});
