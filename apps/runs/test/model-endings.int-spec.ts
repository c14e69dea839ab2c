import { getWorkflowExecutionReport, type Run } from '@aos/contracts';
import { startModelServer, type ModelReply, type ModelServer } from '@aos/testing';
import { startRuns, type RunsUnderTest } from './runs-under-test.js';

describe.each(['compatible/stand-in', 'anthropic/stand-in'])('what %s does not say to the end', (model) => {
  let runs: RunsUnderTest;
  let models: ModelServer;

  beforeAll(async () => {
    models = await startModelServer();
    runs = await startRuns({
      environment: {
        COMPATIBLE_BASE_URL: models.openAiUrl,
        ANTHROPIC_BASE_URL: models.anthropicUrl,
        ANTHROPIC_API_KEY: 'key',
      },
    });
  });

  afterAll(async () => {
    await runs?.stop();
    await models?.close();
  });

  const tool = (args: object | string) => ({ name: 'write_memory', arguments: args });

  async function ended(...replies: ModelReply[]) {
    models.script(...replies);
    const agentId = await runs.agent('Answer.', { model });
    const { id } = await runs.start(agentId, { message: 'hello' });
    const { run } = await runs.reach(id, 'completed', 'failed');
    const messages = await runs.messages(id);
    const report = await runs.call(getWorkflowExecutionReport, { params: { agentId, runId: id } });
    return { id, run, messages, steps: report.body.steps };
  }

  /** The reason as the event of the end has it. */
  async function toldReason(runId: string): Promise<Run['error']> {
    const [row] = await runs.database.query<{ error: Run['error'] }>(
      `SELECT data -> 'error' AS error FROM runs.logged_event WHERE run_id = $1 AND event = 'run.failed'`,
      [runId],
    );
    return row!.error;
  }

  it('fails the run when it was cut off, keeps its text and makes none of its calls', async () => {
    const cut = {
      text: 'It is about',
      toolCalls: [tool({ path: 'a', content: 'b' })],
      ending: 'length',
    } as const;
    const { id, run, messages, steps } = await ended({ kind: 'turn', ...cut });
    expect(run).toMatchObject({ status: 'failed', error: { code: 'output_truncated' }, result: null });
    expect(run.error!.message).toContain(`what ${model} writes in one answer (5 tokens)`);
    expect(messages.map(({ type }) => type)).toEqual(['text', 'text']);
    expect(messages.at(-1)).toMatchObject({ role: 'assistant', text_content: 'It is about' });
    expect(run.error).toMatchObject((await toldReason(id))!);
    expect(steps).toMatchObject([{ status: 'failed', error: run.error!.message }]);
    expect(run.usage).toMatchObject({ input_tokens: 7, output_tokens: 5 });
  });

  it('fails the run when it was filtered', async () => {
    const { id, run } = await ended({ kind: 'turn', text: '', ending: 'content_filter' });
    expect(run.error).toMatchObject({ code: 'content_filtered', message: expect.stringContaining(model) });
    expect(run.error).toMatchObject((await toldReason(id))!);
  });

  it('tells the model which arguments are not JSON, and gives up after three calls in a row', async () => {
    const broken = { kind: 'turn', toolCalls: [tool('{"path": "a", "con')] } as const;
    const whole = { kind: 'turn', toolCalls: [tool({ path: 'a', content: 'b' })] } as const;
    const mended = await ended(broken, broken, whole, broken, { kind: 'turn', text: 'Done' });
    expect(mended.run).toMatchObject({ status: 'completed', result: 'Done' });
    const errors = mended.messages.flatMap(({ tool_result: result }) => (result ? [result.error] : []));
    expect(errors).toEqual([
      expect.stringMatching(/not JSON.*character 18/),
      expect.stringMatching(/not JSON/),
      undefined,
      expect.stringMatching(/not JSON/),
    ]);
    const { run, id } = await ended(broken);
    expect(run.error).toMatchObject({
      code: 'model_protocol_error',
      message: expect.stringContaining('3 calls'),
    });
    expect(run.error).toMatchObject((await toldReason(id))!);
  });

  it('fails the run with what the provider said when it refused, without what looks like a key', async () => {
    const said = 'Incorrect API key provided: sk-proj-abcdefghijklmnop. Find yours in the settings.';
    const { id, run, steps } = await ended({
      kind: 'status',
      status: 401,
      message: said,
      requestId: 'req_17',
    });
    expect(run.error).toMatchObject({
      code: 'model_error',
      message: `${model} answered 401: Incorrect API key provided: [redacted]. Find yours in the settings (request req_17).`,
    });
    expect(run.error).toMatchObject((await toldReason(id))!);
    expect(steps).toMatchObject([{ error: run.error!.message }]);
    const long = await ended({ kind: 'status', status: 400, message: 'word '.repeat(1_000) });
    expect(long.run.error!.message.length).toBeLessThan(600);
  });
});
