import {
  deleteAgent,
  getAgentRun,
  getWorkflowExecutionReport,
  postRunMessage,
  respondToHumanRequest,
  type Run,
  stopRun,
} from '@aos/contracts';
import { eventually } from '@aos/testing';
import { uuidv7 } from 'uuidv7';
import { SubRunsRepository, SubRunsService } from '../src/lifecycle/sub-runs/sub-runs.service.js';
import { type RunsUnderTest, startRuns } from './runs-under-test.js';
import { agentWith, type BuildData, callEnds, linesOf } from './tools-under-test.js';

describe('agents that call agents', () => {
  let runs: RunsUnderTest;

  beforeAll(async () => {
    runs = await startRuns();
  });

  afterAll(() => runs?.stop());

  /** An agent that greets each of the others and ends with the last answer. */
  const callerOf = (agentIds: readonly string[], data?: BuildData) =>
    agentWith(
      runs,
      [
        ...linesOf(
          agentIds.map((agentId) => ['call_agent', { agent_id: agentId, message: 'Hi, {{message}}' }]),
        ),
        'finish {{result}}',
      ],
      data,
    );

  const childrenOf = async (runId: string): Promise<string[]> => {
    const rows = await runs.database.query<{ id: string }>(
      'SELECT id FROM runs.run WHERE parent_run_id = $1 ORDER BY id',
      [runId],
    );
    return rows.map(({ id }) => id);
  };
  const childOf = (runId: string): Promise<string> =>
    eventually(async () => {
      const [child] = await childrenOf(runId);
      if (child === undefined) throw new Error('There is no child yet');
      return child;
    });
  const row = async (runId: string) => {
    const [found] = await runs.database.query<{
      status: string;
      lease_token: string | null;
      wake_at: Date | null;
      dispatches: number;
      depth: number;
    }>('SELECT status, lease_token, wake_at, dispatches, depth FROM runs.run WHERE id = $1', [runId]);
    return found!;
  };
  const report = async ({ id, agent_id: agentId }: Run) =>
    (await runs.call(getWorkflowExecutionReport, { params: { agentId, runId: id } })).body;
  const respond = async (runId: string, answers: object) => {
    const { pending_human_request: request } = await runs.reach(runId, 'waiting');
    const params = { run_id: runId, request_id: request!.id };
    expect((await runs.call(respondToHumanRequest, { params, body: { answers } })).status).toBe(200);
  };

  it('get the answer of a run of its own', async () => {
    const helper = await runs.agent(['finish {{message}}!']);
    const startedAt = performance.now();
    const { id } = await runs.start(await callerOf([helper]), { message: 'Ada' });
    const { run } = await runs.reach(id, 'completed');
    const looks = Math.floor((performance.now() - startedAt) / 10_000);
    const childId = await childOf(id);
    const answer = { run_id: childId, status: 'completed', result: 'Hi, Ada!' };
    expect(JSON.parse(run.result!)).toEqual(answer);
    expect(await callEnds(runs, id)).toEqual([{ name: 'call_agent', result: answer }]);
    const { run: child } = await runs.show(childId);
    expect(child).toMatchObject({
      agent_id: helper,
      source: 'agent',
      metadata: { parent_run_id: id },
      user_id: run.user_id,
      sandbox_id: childId,
      title: 'Hi, Ada',
    });
    // It let go once and was woken once. It also looks by itself every ten seconds, if the machine is that slow.
    const { dispatches, ...rest } = await row(id);
    expect(rest).toMatchObject({ lease_token: null, wake_at: null });
    expect(dispatches).toBeGreaterThanOrEqual(2);
    expect(dispatches).toBeLessThanOrEqual(2 + looks);
    const { steps } = await report(run);
    expect(steps.map(({ name, status, attempts }) => [name, status, attempts])).toEqual([
      ['model turn', 'completed', 1],
      ['call_agent', 'completed', 1],
      ['model turn', 'completed', 1],
    ]);
  });

  it('hold no worker while the other waits for a person', async () => {
    const helper = await runs.agent(['ask Which colour?', 'finish {{answer}}']);
    const { id } = await runs.start(await callerOf([helper]));
    const childId = await childOf(id);
    await runs.reach(childId, 'waiting');
    await eventually(async () => {
      expect(await row(id)).toMatchObject({
        status: 'running',
        lease_token: null,
        wake_at: expect.any(Date),
      });
    });
    const { run: waiting } = await runs.show(id);
    expect((await report(waiting)).steps.at(-1)).toMatchObject({ name: 'call_agent', status: 'running' });
    await respond(childId, { 'Which colour?': 'green' });
    const { run } = await runs.reach(id, 'completed');
    expect(JSON.parse(run.result!)).toMatchObject({ run_id: childId, result: 'green' });
  });

  it('are told when the other fails or is stopped, and go on', async () => {
    const failing = await runs.agent(['fail No paper left']);
    const asking = await runs.agent(['ask Well?']);
    const { id } = await runs.start(await callerOf([failing, asking]));
    const stopped = await eventually(async () => {
      const children = await childrenOf(id);
      expect(children).toHaveLength(2);
      return children[1]!;
    });
    await runs.reach(stopped, 'waiting');
    await runs.call(stopRun, { params: { run_id: stopped } });
    await runs.reach(id, 'completed');
    const [failed] = await childrenOf(id);
    expect((await callEnds(runs, id)).map(({ error }) => error)).toEqual([
      `The run of the agent failed (run ${failed}): No paper left`,
      `The run of the agent was stopped (run ${stopped}).`,
    ]);
    expect((await runs.show(stopped)).run.stop_reason).toBe('requested');
  });

  it('are stopped with all they have started', async () => {
    const last = await runs.agent(['ask Well?', 'finish done']);
    const middle = await callerOf([last]);
    const { id } = await runs.start(await callerOf([middle]));
    const child = await childOf(id);
    const grandchild = await childOf(child);
    await runs.reach(grandchild, 'waiting');
    await runs.call(stopRun, { params: { run_id: id } });
    const ended = await Promise.all([id, child, grandchild].map((runId) => runs.show(runId)));
    expect(ended.map(({ run }) => [run.status, run.stop_reason])).toEqual([
      ['stopped', 'requested'],
      ['stopped', 'parent_stopped'],
      ['stopped', 'parent_stopped'],
    ]);
    const params = { agentId: last, runId: grandchild };
    const { body } = await runs.call(getAgentRun, { params });
    expect(body.human_requests.map(({ status }) => status)).toEqual(['cancelled']);
    for (const runId of [id, child, grandchild]) {
      expect((await runs.events(runId)).filter((event) => event === 'run.completed')).toHaveLength(1);
    }
    expect((await report(ended[0]!.run)).steps.at(-1)).toMatchObject({
      name: 'call_agent',
      status: 'cancelled',
    });
  });

  it('cannot go round in circles for ever', async () => {
    const agentId = await agentWith(runs, [
      'tool call_agent {"agent_id": "{{message}}", "message": "{{message}}"}',
      'finish depth reached',
    ]);
    const { id } = await runs.start(agentId, { message: agentId });
    await runs.reach(id, 'completed');
    const rows = await runs.database.query<{ id: string; depth: number; status: string }>(
      'SELECT id, depth, status FROM runs.run WHERE agent_id = $1 ORDER BY depth',
      [agentId],
    );
    expect(rows.map(({ depth, status }) => [depth, status])).toEqual(
      [0, 1, 2, 3, 4, 5].map((depth) => [depth, 'completed']),
    );
    const [deepest] = await callEnds(runs, rows.at(-1)!.id);
    expect(deepest!.error).toBe('Agents may call each other at most 5 levels deep.');
  });

  it('may call only those that their build names, if it names any', async () => {
    const [named, other] = [await runs.agent(['finish named']), await runs.agent(['finish other'])];
    const { id } = await runs.start(await callerOf([other, named], { sub_agents: [named] }));
    const { run } = await runs.reach(id, 'completed');
    expect((await callEnds(runs, id))[0]!.error).toBe(`This agent may only call: ${named}.`);
    expect(JSON.parse(run.result!)).toMatchObject({ result: 'named' });
    expect(await childrenOf(id)).toHaveLength(1);
  });

  it('are told of agents that are not there', async () => {
    const deleted = await runs.agent(['finish gone']);
    await runs.call(deleteAgent, { params: { agent_id: deleted } });
    const unknown = uuidv7();
    const { id } = await runs.start(await callerOf([unknown, deleted, 'no id']));
    await runs.reach(id, 'completed');
    const errors = (await callEnds(runs, id)).map(({ error }) => error);
    expect(errors).toEqual([
      `This team has no agent ${unknown}.`,
      `This team has no agent ${deleted}.`,
      expect.stringContaining('agent_id'),
    ]);
    expect(await childrenOf(id)).toEqual([]);
  });

  it('do not begin if their build names agents that are not there', async () => {
    const unknown = uuidv7();
    const { id } = await runs.start(await agentWith(runs, ['finish done'], { sub_agents: [unknown] }));
    const { run } = await runs.reach(id, 'failed');
    expect(run.error).toMatchObject({
      code: 'agent_unavailable',
      message: `The build names sub-agents that this team does not have: ${unknown}.`,
    });
    expect(await runs.events(id)).toEqual(['run.started', 'run.failed']);
  });

  it('pass on that nobody is to be asked', async () => {
    const helper = await runs.agent(['ask Well?', 'finish asked nobody']);
    const { id } = await runs.start(await callerOf([helper]), { human_in_the_loop_enabled: false });
    const { run } = await runs.reach(id, 'completed');
    expect(JSON.parse(run.result!)).toMatchObject({ result: 'asked nobody' });
    expect((await runs.show(await childOf(id))).run.human_in_the_loop_enabled).toBe(false);
  });

  it('start one run for a call, however many workers make it', async () => {
    const helper = await runs.agent(['ask Well?']);
    const { id } = await runs.start(await runs.agent(['wait 600000']));
    await eventually(async () => expect((await row(id)).wake_at).not.toBeNull());
    const call = { runId: id, teamId: runs.teamId, callId: 'step-1', agentId: helper, message: 'hi' };
    const service = runs.running.app.get(SubRunsService);
    const made = await Promise.all(Array.from({ length: 8 }, () => service.of(call)));
    expect(new Set(made.map((run) => run.id))).toEqual(new Set(await childrenOf(id)));
    expect(await childrenOf(id)).toHaveLength(1);
    await runs.call(stopRun, { params: { run_id: id } });
    const late = service.of({ ...call, callId: 'step-2' });
    await expect(late).rejects.toMatchObject({ code: 'invalid_state' });
  });

  it('are stopped when the run that started them fails', async () => {
    const helper = await runs.agent(['wait 600000', 'finish Late']);
    const caller = await runs.agent(
      ['```steps', `tool call_agent {"agent_id": "${helper}", "message": "Hi"}`, '```'].join('\n'),
      { options: { timeout_seconds: 3600 } },
    );
    const { id } = await runs.start(caller);
    const childId = await eventually(() => childOf(id));
    await eventually(async () => expect((await runs.show(childId)).run.usage.steps).toBe(1));
    // As a run ends whose workers were all lost.
    await runs.database.query(
      `UPDATE runs.run SET takeovers = 10, wake_at = NULL, lease_token = gen_random_uuid(), lease_until = now() WHERE id = $1`,
      [id],
    );
    expect((await runs.reach(id, 'failed')).run.error).toMatchObject({ code: 'worker_lost' });
    const { run } = await runs.reach(childId, 'stopped');
    expect(run.stop_reason).toBe('parent_failed');
  });

  it('stay open when a message has reopened them, whatever became of the run that started them', async () => {
    const helper = await runs.agent(['ask One?', 'ask Two?', 'finish {{answer}}']);
    const { id } = await runs.start(await callerOf([helper]));
    const childId = await childOf(id);
    await runs.reach(childId, 'waiting');
    await runs.call(stopRun, { params: { run_id: id } });
    await runs.reach(childId, 'stopped');
    const posted = await runs.call(postRunMessage, {
      params: { run_id: childId },
      body: { message: 'Go on.' },
    });
    expect(posted.status).toBe(201);
    await runs.reach(childId, 'waiting');
    expect(await runs.running.app.get(SubRunsRepository).left(100, [])).toEqual([]);
    await respond(childId, { 'Two?': 'two' });
    expect((await runs.reach(childId, 'completed')).run.result).toBe('two');
  });
});
