import { getWorkflowExecutionReport, postRunMessage, stopRun } from '@aos/contracts';
import { eventually } from '@aos/testing';
import { uuidv7 } from 'uuidv7';
import { ToolCallIntents } from '../src/run-core/records/tool-call-intents.js';
import { startRuns, type RunsUnderTest } from './runs-under-test.js';
import { agentWith, callEnds, hang, linesOf, startSite, type Site } from './tools-under-test.js';

describe('tool calls that have begun', () => {
  let runs: RunsUnderTest;
  let site: Site;

  beforeAll(async () => {
    site = await startSite({ '/hang': hang, '/order': (response) => response.end('ordered') });
    runs = await startRuns({ environment: { EGRESS_ALLOW_CIDRS: '127.0.0.0/8' } });
  });

  afterAll(async () => {
    await runs?.stop();
    await site?.close();
  });

  const lines = (...paths: string[]) =>
    linesOf(paths.map((path) => ['http_request', { method: 'POST', url: site.url(path) }]));
  const steps = async (agentId: string, runId: string) => {
    const { body } = await runs.call(getWorkflowExecutionReport, { params: { agentId, runId } });
    return body.steps.map(({ index, name, kind, status }) => [index, name, kind, status]);
  };

  /** A run that was stopped while its first call was under way. */
  async function stoppedInside(agentId: string): Promise<string> {
    const before = site.at('/hang').length;
    const { id } = await runs.start(agentId);
    await eventually(() => expect(site.at('/hang')).toHaveLength(before + 1));
    await runs.call(stopRun, { params: { run_id: id } });
    return id;
  }

  const reopen = (id: string) =>
    runs.call(postRunMessage, { params: { run_id: id }, body: { message: 'go on' } });

  it('are shown as cancelled when the run was stopped inside them', async () => {
    const agentId = await agentWith(runs, [...lines('/hang'), 'finish {{result}}']);
    const id = await stoppedInside(agentId);
    expect(await steps(agentId, id)).toEqual([
      [1, 'model turn', 'model', 'completed'],
      [2, 'http_request', 'tool', 'cancelled'],
    ]);
  });

  it('are not made again when the run is reopened', async () => {
    const agentId = await agentWith(runs, [...lines('/hang'), 'finish {{result}}']);
    const id = await stoppedInside(agentId);
    const before = site.at('/hang').length;
    await reopen(id);
    const { run } = await runs.reach(id, 'completed');
    expect(run.result).toContain('The run ended before this call did.');
    expect(site.at('/hang')).toHaveLength(before);
  });

  it('hinder no call that comes after the run was reopened, and stay in its report', async () => {
    const agentId = await agentWith(runs, [...lines('/hang', '/order'), 'finish {{result}}']);
    const id = await stoppedInside(agentId);
    await reopen(id);
    const { run } = await runs.reach(id, 'completed');
    expect((await callEnds(runs, id)).map(({ error }) => error)).toEqual([
      'The run ended before this call did.',
      undefined,
    ]);
    expect([run.result, site.at('/order').length]).toEqual([expect.stringContaining('ordered'), 1]);
    expect(await steps(agentId, id)).toEqual([
      [1, 'model turn', 'model', 'completed'],
      [2, 'http_request', 'tool', 'cancelled'],
      [3, 'model turn', 'model', 'completed'],
      [4, 'http_request', 'tool', 'completed'],
      [5, 'model turn', 'model', 'completed'],
    ]);
  });

  it('are noted only by whoever has the run', async () => {
    const agentId = await agentWith(runs, [...lines('/hang'), 'finish done']);
    const before = site.at('/hang').length;
    const { id } = await runs.start(agentId);
    await eventually(() => expect(site.at('/hang')).toHaveLength(before + 1));
    const [row] = await runs.database.query<{ token: string; steps: number }>(
      'SELECT lease_token AS token, steps FROM runs.run WHERE id = $1',
      [id],
    );
    const intents = runs.running.app.get(ToolCallIntents);
    const call = { runId: id, ...row!, name: 'http_request', attempts: 2, startedAt: new Date() };
    const noted = await Promise.all([
      intents.record(call),
      intents.record({ ...call, token: uuidv7() }),
      intents.record({ ...call, steps: row!.steps - 1 }),
      intents.record({ ...call, runId: uuidv7() }),
    ]);
    expect(noted).toEqual([true, false, false, false]);
    await runs.call(stopRun, { params: { run_id: id } });
    expect(await intents.record(call)).toBe(false);
    expect((await steps(agentId, id)).at(-1)).toEqual([2, 'http_request', 'tool', 'cancelled']);
  });
});
