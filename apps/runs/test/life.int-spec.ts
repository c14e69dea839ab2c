import {
  getAgentRun,
  getRun,
  getWorkflowExecutionReport,
  runProgress,
  startRun,
  stopRun,
  streamRunEvents,
  type RunProgress,
} from '@aos/contracts';
import { Broadcasts } from '@aos/messaging';
import { eventually } from '@aos/testing';
import { uuidv7 } from 'uuidv7';
import { startRuns, type RunsUnderTest } from './runs-under-test.js';

describe('the life of a run', () => {
  let runs: RunsUnderTest;

  beforeAll(async () => {
    runs = await startRuns();
  });

  afterAll(() => runs?.stop());

  it('is pending when it is accepted, and completes with the result of its last step', async () => {
    const agentId = await runs.agent(['say Looking at {{message}}', 'finish Done with {{message}}.']);
    const started = await runs.start(agentId, { message: 'the invoice', metadata: { ticket: '7' } });
    expect(started).toMatchObject({
      title: 'the invoice',
      agent_id: agentId,
      agent_name: 'Tester',
      team_id: runs.teamId,
      status: 'pending',
      source: 'api',
      pending_reason: 'queued',
      metadata: { ticket: '7' },
      result: null,
      started_at: null,
      completed_at: null,
    });
    const { run } = await runs.reach(started.id, 'completed');
    expect(run).toMatchObject({
      result: 'Done with the invoice.',
      error: null,
      pending_reason: null,
      usage: { steps: 2, tool_calls: 0 },
    });
    expect(Date.parse(run.started_at!)).toBeGreaterThanOrEqual(Date.parse(run.created_at));
    expect(Date.parse(run.completed_at!)).toBeGreaterThanOrEqual(Date.parse(run.started_at!));
    const messages = await runs.messages(run.id);
    expect(messages.map(({ seq, role, type, text_content: text }) => [seq, role, type, text])).toEqual([
      [1, 'user', 'text', 'the invoice'],
      [2, 'assistant', 'text', 'Looking at the invoice'],
      [3, 'assistant', 'text', 'Done with the invoice.'],
    ]);
    expect(await runs.events(run.id)).toEqual([
      'run.message.created',
      'run.started',
      'run.message.created',
      'run.message.created',
      'run.completed',
    ]);
  });

  it('is told to whoever waits as it is shown to who asks, unless its result is long', async () => {
    const heard = new Map<string, RunProgress>();
    const broadcasts = runs.running.app.get(Broadcasts, { strict: false });
    const stop = broadcasts.listen(runProgress, (news) => heard.set(news.run_id, news));
    const end = async (steps: string[]) => {
      const { id } = await runs.start(await runs.agent(steps));
      const { run } = await runs.reach(id, 'completed', 'failed');
      await eventually(() => expect(heard.get(id)?.status).toBe(run.status));
      const { outcome, events } = heard.get(id)!;
      const { body } = await runs.call(streamRunEvents, { params: { run_id: id }, query: { after: '0' } });
      return { run, outcome, events, stored: body.events };
    };
    const brief = await end(['say One', 'finish Two']);
    expect(brief.run).toMatchObject(brief.outcome!);
    expect(brief.outcome).toMatchObject({ result: 'Two', usage: { steps: 2 } });
    expect(brief.events).toEqual(brief.stored.slice(-2));
    expect(brief.events!.map(({ event }) => event)).toEqual(['run.message.created', 'run.completed']);
    const long = await end([`finish ${'x'.repeat(2_001)}`]);
    expect([long.outcome, long.events]).toEqual([undefined, undefined]);
    // It keeps the result of an earlier end, but nothing of what it says is missing.
    const failed = await end(['fail Broken']);
    expect(failed.outcome).toBeUndefined();
    expect(failed.events).toEqual(failed.stored.slice(-1));
    stop();
  });

  it('answers without a message and without steps', async () => {
    const agentId = await runs.agent('Be kind.');
    const { id } = await runs.start(agentId);
    const { run } = await runs.reach(id, 'completed');
    expect(run.title).toBe('Tester');
    expect(run.result).toContain('scripted');
  });

  it('fails when a step says so', async () => {
    const { id } = await runs.start(await runs.agent(['say Trying', 'fail No paper left', 'say Never said']));
    const { run } = await runs.reach(id, 'failed');
    expect(run.error).toMatchObject({ code: 'failed_by_agent', message: 'No paper left' });
    expect((await runs.events(id)).at(-1)).toBe('run.failed');
  });

  it('fails with the line of a script that cannot be read', async () => {
    const { id } = await runs.start(await runs.agent(['dance wildly']));
    const { run } = await runs.reach(id, 'failed');
    expect(run.error).toMatchObject({ code: 'invalid_script', message: expect.stringContaining('line 2') });
  });

  it('tells a tool that does not exist, and goes on', async () => {
    const { id } = await runs.start(
      await runs.agent(['tool fly_to_moon {"fast": true}', 'finish {{result}}']),
    );
    const { run } = await runs.reach(id, 'completed');
    expect(run.result).toContain('fly_to_moon');
    expect(run.usage.tool_calls).toBe(1);
    expect(await runs.events(id)).toContain('run.tool_call.completed');
  });

  it('sleeps without a worker and wakes in time', async () => {
    const { id } = await runs.start(await runs.agent(['wait 1200', 'finish Awake']));
    await runs.reach(id, 'running');
    const { run } = await runs.reach(id, 'completed');
    expect(Date.parse(run.completed_at!) - Date.parse(run.started_at!)).toBeGreaterThanOrEqual(1200);
    const { body } = await runs.call(getWorkflowExecutionReport, {
      params: { agentId: run.agent_id, runId: id },
    });
    expect(body.steps.map(({ kind, status }) => [kind, status])).toEqual([
      ['wait', 'completed'],
      ['model', 'completed'],
    ]);
  });

  it('keeps the build it was started with, in full', async () => {
    const agentId = await runs.agent(['finish One']);
    const { id, build_id: buildId } = await runs.start(agentId);
    await runs.reach(id, 'completed');
    const { body } = await runs.call(getAgentRun, { params: { agentId, runId: id } });
    expect(body).toMatchObject({
      run_id: id,
      status: 'completed',
      agent: { id: agentId, name: 'Tester' },
      build: { id: buildId, revision_number: 1 },
      human_requests: [],
      messages_total: 1,
      files_total: 0,
      case: null,
      evaluation: expect.objectContaining({ run_id: id }),
    });
    const other = await runs.agent(['finish Two']);
    expect((await runs.call(getAgentRun, { params: { agentId: other, runId: id } })).status).toBe(404);
  });

  it('is refused for an agent, build or sandbox that is not there', async () => {
    const agentId = await runs.agent(['finish Done']);
    const params = { teamId: runs.teamId };
    const tries: [object, number][] = [
      [{ agent_id: uuidv7() }, 404],
      [{ agent_id: agentId, build_id: uuidv7() }, 404],
      [{ agent_id: agentId, sandbox_id: uuidv7() }, 404],
      [{ agent_id: agentId, wait_seconds: 61 }, 400],
      [{}, 400],
    ];
    for (const [body, status] of tries) {
      expect([body, (await runs.call(startRun, { params, body })).status]).toEqual([body, status]);
    }
    const foreign = await runs.call(startRun, { params, body: { agent_id: agentId }, teamId: uuidv7() });
    expect(foreign.status).toBe(404);
  });

  it('takes agentId for agent_id', async () => {
    const agentId = await runs.agent(['finish Yes']);
    const { status, body } = await runs.call(startRun, {
      params: { teamId: runs.teamId },
      body: { agentId },
    });
    expect([status, body.run.agent_id]).toEqual([201, agentId]);
  });

  it('is the same run when the request is repeated with its key', async () => {
    const agentId = await runs.agent(['finish Once']);
    const request = { params: { teamId: runs.teamId }, body: { agent_id: agentId }, key: uuidv7() };
    const answers = await Promise.all(Array.from({ length: 20 }, () => runs.call(startRun, request)));
    const texts = new Set(answers.filter(({ status }) => status === 201).map(({ text }) => text));
    expect(texts.size).toBe(1);
    expect(answers.filter(({ status, replayed }) => status === 201 && !replayed)).toHaveLength(1);
    const later = await runs.call(startRun, request);
    expect([later.replayed, later.text]).toEqual([true, [...texts][0]]);
    const rows = await runs.database.query('SELECT id FROM runs.run WHERE agent_id = $1', [agentId]);
    expect(rows).toHaveLength(1);
    const other = await runs.call(startRun, { ...request, body: { agent_id: agentId, message: 'else' } });
    expect([other.status, other.body.error]).toEqual([409, 'idempotency_conflict']);
  });

  it('keeps a refusal for its key', async () => {
    const request = { params: { teamId: runs.teamId }, body: { agent_id: uuidv7() }, key: uuidv7() };
    expect((await runs.call(startRun, request)).status).toBe(404);
    const again = await runs.call(startRun, request);
    expect([again.status, again.replayed]).toEqual([404, true]);
  });

  it('is nobody else’s', async () => {
    const { id } = await runs.start(await runs.agent(['finish Done']));
    const params = { run_id: id };
    expect((await runs.call(getRun, { params, teamId: uuidv7() })).status).toBe(404);
    expect((await runs.call(stopRun, { params, teamId: uuidv7() })).status).toBe(404);
  });
});
