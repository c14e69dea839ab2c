import { getWorkflowExecutionReport } from '@aos/contracts';
import { eventually } from '@aos/testing';
import { installGate, startKillableRuns, type Gate, type KillableRuns } from '../tools-under-test.js';

describe('agents that call agents while workers are killed', () => {
  let runs: KillableRuns;
  let caller: string;
  let sleep: Gate;
  let wake: Gate;

  beforeAll(async () => {
    runs = await startKillableRuns({ RUN_LEASE_MS: '1500' });
    const helper = await runs.agent(['finish Helped with {{message}}']);
    caller = await runs.agent([
      `tool call_agent {"agent_id": "${helper}", "message": "{{message}}"}`,
      'finish {{result}}',
    ]);
    const first = await runs.startWorker();
    sleep = await installGate(runs.database, 'sleep_gate', {
      table: 'run',
      when: 'NEW.wake_at IS NOT NULL AND OLD.wake_at IS NULL',
    });
    wake = await installGate(runs.database, 'wake_gate', {
      table: 'run',
      when: 'NEW.wake_at < OLD.wake_at',
    });
    await runs.kill(first);
  });

  afterAll(() => runs?.stop());

  const children = (runId: string) =>
    runs.database.query<{ id: string; status: string }>(
      'SELECT id, status FROM runs.run WHERE parent_run_id = $1',
      [runId],
    );
  const childHasEnded = (runId: string) =>
    eventually(async () => expect(await children(runId)).toMatchObject([{ status: 'completed' }]));

  /** The attempts of the call, and how often the run was given to a worker. */
  async function traces(runId: string) {
    const { body } = await runs.call(getWorkflowExecutionReport, { params: { agentId: caller, runId } });
    const [row] = await runs.database.query<{ dispatches: number }>(
      'SELECT dispatches FROM runs.run WHERE id = $1',
      [runId],
    );
    const { status, attempts } = body.steps.find(({ name }) => name === 'call_agent')!;
    return { status, attempts, dispatches: row!.dispatches };
  }

  it('start one run, also when the worker dies right after it has started it', async () => {
    const worker = await runs.startWorker();
    await sleep.close();
    const { id } = await runs.start(caller, { message: 'this' });
    await eventually(async () => {
      expect([(await children(id)).length, await sleep.waiting()]).toEqual([1, 1]);
    });
    await runs.kill(worker);
    await sleep.open();
    const next = await runs.startWorker();
    const { run } = await runs.reach(id, 'completed');
    const [child, ...others] = await children(id);
    expect(others).toEqual([]);
    expect(JSON.parse(run.result!)).toEqual({
      run_id: child!.id,
      status: 'completed',
      result: 'Helped with this',
    });
    expect(await traces(id)).toMatchObject({ status: 'completed', attempts: 2 });
    await runs.kill(next);
  });

  it('find the answer by themselves when the news of it was lost', async () => {
    const worker = await runs.startWorker();
    await wake.close();
    const { id } = await runs.start(caller, { message: 'that' });
    await childHasEnded(id);
    await eventually(async () => expect(await wake.waiting()).toBeGreaterThan(0));
    await runs.kill(worker);
    await wake.open();
    expect(
      (await runs.database.query('SELECT 1 FROM runs.run WHERE id = $1 AND wake_at > now()', [id])).length,
    ).toBe(1);
    await runs.startWorker();
    const { run } = await runs.reach(id, 'completed');
    expect(JSON.parse(run.result!)).toMatchObject({ result: 'Helped with that' });
    expect(await children(id)).toHaveLength(1);
    // It let go once, and nobody has woken it.
    expect(await traces(id)).toEqual({ status: 'completed', attempts: 1, dispatches: 1 });
  });
});
