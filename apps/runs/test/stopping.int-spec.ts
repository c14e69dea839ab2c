import {
  deleteAgent,
  getWorkflowExecutionReport,
  postRunMessage,
  startRun,
  stopRun,
  type RunStatus,
} from '@aos/contracts';
import { eventually, startModelServer, type ModelServer } from '@aos/testing';
import { startRuns, type RunsUnderTest } from './runs-under-test.js';

const model = 'compatible/stand-in';

describe('stopping and reopening', () => {
  let runs: RunsUnderTest;
  let models: ModelServer;

  beforeAll(async () => {
    models = await startModelServer();
    runs = await startRuns({ environment: { COMPATIBLE_BASE_URL: models.openAiUrl } });
  });

  afterAll(async () => {
    await runs?.stop();
    await models?.close();
  });

  const stop = (runId: string) => runs.call(stopRun, { params: { run_id: runId } });
  const post = (runId: string, message: string) =>
    runs.call(postRunMessage, { params: { run_id: runId }, body: { message } });

  it('stops a run that sleeps, once; a second time nothing happens', async () => {
    const { id } = await runs.start(await runs.agent(['wait 600000', 'finish Done']));
    await eventually(async () => expect((await runs.show(id)).run.usage.steps).toBe(1));
    expect((await stop(id)).body).toEqual({ run_id: id, status: 'stopped', success: true });
    expect((await stop(id)).body).toMatchObject({
      status: 'stopped',
      success: true,
      message: expect.any(String),
    });
    const { run } = await runs.show(id);
    expect(run).toMatchObject({ status: 'stopped', stop_reason: 'requested', error: null });
    expect(run.completed_at).not.toBeNull();
    const events = await runs.events(id);
    expect(events.filter((event) => event === 'run.completed')).toHaveLength(1);
  });

  it('aborts a model call under way', async () => {
    models.script({ kind: 'hang' });
    const before = models.requests.length;
    const { id } = await runs.start(await runs.agent('Think.', { model }));
    await eventually(() => expect(models.requests.length).toBe(before + 1));
    const abandoned = models.abandoned;
    await stop(id);
    await eventually(() => expect(models.abandoned).toBe(abandoned + 1), { timeoutMs: 5_000 });
    expect((await runs.show(id)).run.status).toBe('stopped');
    expect(await runs.events(id)).toEqual(['run.started', 'run.completed']);
  });

  it('stops a run before a worker has it', async () => {
    const { id } = await runs.start(await runs.agent(['wait 600000', 'finish Never']));
    await eventually(async () => expect((await runs.show(id)).run.usage.steps).toBe(1));
    // As if it still stood in a long queue.
    await runs.database.query(
      `UPDATE runs.run SET status = 'pending', wake_at = NULL, queued_at = now() + interval '1 hour' WHERE id = $1`,
      [id],
    );
    expect((await runs.show(id)).run).toMatchObject({ status: 'pending', pending_reason: 'queued' });
    expect((await stop(id)).body).toMatchObject({ status: 'stopped', success: true });
    const { run } = await runs.show(id);
    expect(run).toMatchObject({ status: 'stopped', stop_reason: 'requested', pending_reason: null });
  });

  it.each<[RunStatus, string[]]>([
    ['completed', ['finish First']],
    ['failed', ['fail Broken', 'finish Second']],
    ['stopped', ['wait 600000', 'finish Second']],
  ])('reopens a run that is %s and goes on behind its last step', async (status, steps) => {
    const agentId = await runs.agent(steps);
    const { id } = await runs.start(agentId, { message: 'one' });
    if (status === 'stopped') {
      await eventually(async () => expect((await runs.show(id)).run.usage.steps).toBe(1));
      await stop(id);
    }
    const { run: before } = await runs.reach(id, status);
    const { status: code, body } = await post(id, 'two');
    expect([code, body.status, body.message]).toMatchObject([
      201,
      'running',
      { role: 'user', type: 'text', text_content: 'two' },
    ]);
    const { run } = await runs.reach(id, 'completed');
    expect(run.result).toContain(status === 'completed' ? 'two' : 'Second');
    expect(run).toMatchObject({ error: null, stop_reason: null, started_at: before.started_at });
    const events = await runs.events(id);
    expect(events.filter((event) => event === 'run.started')).toHaveLength(1);
    expect(events.at(-1)).toBe('run.completed');
  });

  it('shows a message that is posted while it works at the next turn', async () => {
    models.script({ kind: 'turn', text: 'Answered.' });
    const { id } = await runs.start(await runs.agent(['wait 800', 'finish {{message}}']), { message: 'old' });
    await eventually(async () => expect((await runs.show(id)).run.usage.steps).toBe(1));
    expect((await post(id, 'new')).body.status).toBe('running');
    expect((await runs.reach(id, 'completed')).run.result).toBe('new');
  });

  it('begins limits anew when it is reopened', async () => {
    const agentId = await runs.agent(['say a', 'say b', 'say c', 'finish d'], { options: { max_steps: 2 } });
    const { id } = await runs.start(agentId);
    expect((await runs.reach(id, 'failed')).run.error).toMatchObject({ code: 'max_steps_exceeded' });
    await post(id, 'go on');
    const { run } = await runs.reach(id, 'completed');
    expect([run.result, run.usage.steps]).toEqual(['d', 4]);
  });

  it('tells a model that a call was not finished when the run is reopened', async () => {
    models.script({ kind: 'turn', toolCalls: [{ name: 'ask_human', arguments: { question: 'Which?' } }] });
    const { id } = await runs.start(await runs.agent('Ask.', { model }), { message: 'hi' });
    await runs.reach(id, 'waiting');
    await stop(id);
    models.script({ kind: 'turn', text: 'Fine.' });
    await post(id, 'never mind');
    expect((await runs.reach(id, 'completed')).run.result).toBe('Fine.');
    const { messages } = models.requests.at(-1) as { messages: { role: string; content: unknown }[] };
    expect(messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'tool', 'user']);
  });

  it('ends the open runs of an agent that is deleted, and starts none', async () => {
    const agentId = await runs.agent(['ask Which?', 'finish Done']);
    const { id: waiting } = await runs.start(agentId);
    const { id: done } = await runs.start(await runs.agent(['finish Done']));
    await runs.reach(waiting, 'waiting');
    await runs.reach(done, 'completed');
    expect((await runs.call(deleteAgent, { params: { agent_id: agentId } })).status).toBe(200);
    const { run } = await runs.reach(waiting, 'stopped');
    expect(run.stop_reason).toBe('agent_deleted');
    const params = { teamId: runs.teamId };
    expect((await runs.call(startRun, { params, body: { agent_id: agentId } })).status).toBe(404);
    expect((await post(waiting, 'again')).status).toBe(409);
    const report = { params: { agentId, runId: waiting } };
    expect((await runs.call(getWorkflowExecutionReport, report)).status).toBe(200);
  });

  it('starts no run of an agent whose deletion came while its build was read', async () => {
    const agentId = await runs.agent(['finish Done']);
    // As when the event arrives between the answer of the agents service and the statement that stores the run.
    await runs.database.query(
      'INSERT INTO runs.deleted_agent (agent_id, team_id, deleted_at) VALUES ($1, $2, now())',
      [agentId, runs.teamId],
    );
    const request = { params: { teamId: runs.teamId }, body: { agent_id: agentId } };
    expect((await runs.call(startRun, request)).status).toBe(404);
    expect(await runs.database.query('SELECT 1 FROM runs.run WHERE agent_id = $1', [agentId])).toEqual([]);
  });
});
