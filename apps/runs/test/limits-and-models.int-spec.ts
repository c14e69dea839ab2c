import { getWorkflowExecutionReport } from '@aos/contracts';
import { startModelServer, type ModelServer } from '@aos/testing';
import { startRuns, type RunsUnderTest } from './runs-under-test.js';

const model = 'compatible/stand-in';

describe('limits and models', () => {
  let runs: RunsUnderTest;
  let models: ModelServer;

  beforeAll(async () => {
    models = await startModelServer();
    runs = await startRuns({
      environment: { COMPATIBLE_BASE_URL: models.openAiUrl, MODEL_TIMEOUT_MS: '2000' },
    });
  });

  afterAll(async () => {
    await runs?.stop();
    await models?.close();
  });

  const report = async (agentId: string, runId: string) =>
    (await runs.call(getWorkflowExecutionReport, { params: { agentId, runId } })).body;

  it('has a model answer, with what it cost', async () => {
    models.script({ kind: 'turn', text: 'Paris.' });
    const agentId = await runs.agent('Answer shortly.', { model });
    const { id } = await runs.start(agentId, { message: 'The capital of France?' });
    const { run } = await runs.reach(id, 'completed');
    expect(run).toMatchObject({
      result: 'Paris.',
      usage: { steps: 1, tool_calls: 0, input_tokens: 7, output_tokens: 5 },
    });
    const { messages } = models.requests.at(-1) as { messages: { role: string; content: string }[] };
    expect(messages).toMatchObject([
      { role: 'system', content: expect.stringContaining('Answer shortly.') },
      { role: 'user', content: 'The capital of France?' },
    ]);
  });

  it('carries on with the result of a tool', async () => {
    models.script(
      { kind: 'turn', text: 'Let me see.', toolCalls: [{ name: 'no_such_tool', arguments: { a: 1 } }] },
      { kind: 'turn', text: 'It cannot be done.' },
    );
    const { id } = await runs.start(await runs.agent('Work.', { model }), { message: 'do' });
    const { run } = await runs.reach(id, 'completed');
    expect(run.result).toBe('It cannot be done.');
    expect((await runs.messages(id)).map(({ type }) => type)).toEqual([
      'text',
      'text',
      'tool_call',
      'tool_result',
      'text',
    ]);
    const { messages } = models.requests.at(-1) as { messages: { role: string }[] };
    expect(messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'tool']);
  });

  it.each([
    ['429', { kind: 'status', status: 429 }],
    ['500', { kind: 'status', status: 500 }],
    ['garbage', { kind: 'garbage' }],
    ['an answer that breaks off', { kind: 'cut' }],
    ['silence', { kind: 'hang' }],
  ] as const)('tries again after %s', async (_, reply) => {
    models.script(reply, { kind: 'turn', text: 'Here I am.' });
    const agentId = await runs.agent('Answer.', { model });
    const { id } = await runs.start(agentId, { message: 'hello' });
    expect((await runs.reach(id, 'completed')).run.result).toBe('Here I am.');
    expect((await report(agentId, id)).steps).toMatchObject([{ kind: 'model', attempts: 2 }]);
  });

  it('fails at once where trying again is no use', async () => {
    models.script({ kind: 'status', status: 401 });
    const agentId = await runs.agent('Answer.', { model });
    const { id } = await runs.start(agentId, { message: 'hello' });
    const { run } = await runs.reach(id, 'failed');
    expect(run.error).toMatchObject({ code: 'model_error', message: expect.stringContaining('401') });
    expect((await report(agentId, id)).steps).toMatchObject([{ status: 'failed', attempts: 1 }]);
  });

  it('fails with a model that is not configured', async () => {
    const { id } = await runs.start(await runs.agent('Answer.', { model: 'openai/gpt' }));
    const { run } = await runs.reach(id, 'failed');
    expect(run.error).toMatchObject({ code: 'model_error', message: expect.stringContaining('openai/gpt') });
  });

  it('fails after five tries', async () => {
    models.script({ kind: 'status', status: 503 });
    const before = models.requests.length;
    const { id } = await runs.start(await runs.agent('Answer.', { model }), { message: 'hello' });
    const { run } = await runs.reach(id, 'failed');
    expect(run.error).toMatchObject({ code: 'model_error' });
    expect(models.requests.length - before).toBe(5);
  });

  it('ends when its steps, its tokens or its time are used up', async () => {
    const says = Array.from({ length: 10 }, (_, n) => `say ${n}`);
    const steps = await runs.start(await runs.agent(says, { options: { max_steps: 3 } }));
    expect((await runs.reach(steps.id, 'failed')).run).toMatchObject({
      error: { code: 'max_steps_exceeded' },
      usage: { steps: 3 },
    });

    models.script({ kind: 'turn', toolCalls: [{ name: 'again', arguments: {} }] });
    const spender = await runs.agent('Spend.', { model, options: { max_tokens: 20 } });
    const tokens = await runs.start(spender, { message: 'spend' });
    expect((await runs.reach(tokens.id, 'failed')).run).toMatchObject({
      error: { code: 'budget_exceeded' },
      usage: { input_tokens: 14, output_tokens: 10 },
    });

    const slow = await runs.start(
      await runs.agent(['wait 60000', 'finish Done'], { options: { timeout_seconds: 1 } }),
    );
    expect((await runs.reach(slow.id, 'failed')).run.error).toMatchObject({ code: 'timeout' });
  });

  it('ends a model call when the time of the run is over', async () => {
    models.script({ kind: 'hang' });
    const agentId = await runs.agent('Hang.', { model, options: { timeout_seconds: 1 } });
    const { id } = await runs.start(agentId, { message: 'x' });
    const { run } = await runs.reach(id, 'failed');
    expect(run.error).toMatchObject({ code: 'timeout' });
  });

  it.each([[[]], [['memory']]])(
    'can ask a person with the plugins %j, which choose among the others',
    async (plugins) => {
      const agentId = await runs.agent(['ask Which?', 'finish {{answer}}'], { plugins });
      const { id } = await runs.start(agentId);
      const { pending_human_request: request } = await runs.reach(id, 'waiting');
      expect(request).toMatchObject({ type: 'question', title: 'Which?' });
    },
  );
});
