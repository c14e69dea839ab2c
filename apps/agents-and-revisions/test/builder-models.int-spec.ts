import { deleteAgent, resumeBuilderRun } from '@aos/contracts';
import { eventually, startModelServer, type ModelServer } from '@aos/testing';
import { BuilderUnderTest, clearPrompt } from './builder-under-test.js';

const models = ['openai/stand-in', 'anthropic/stand-in', 'compatible/stand-in'];
const [model] = models as [string];

const proposes = {
  kind: 'turn',
  toolCalls: [{ name: 'propose_procedure', arguments: { procedure: '# Mails\n\nAnswer them.' } }],
} as const;

/** As the log has it: the model and the tokens of each answer. */
async function usageTold(builders: BuilderUnderTest, builderRunId: string): Promise<object[]> {
  const rows = await builders.database.query<{ usage: object }>(
    `SELECT meta -> 'usage' AS usage FROM agents_and_revisions.logged_event
      WHERE event = 'usage.builder' AND data ->> 'builder_run_id' = $1 ORDER BY id`,
    [builderRunId],
  );
  return rows.map(({ usage }) => usage);
}

describe('builder runs with a model', () => {
  let server: ModelServer;
  let builders: BuilderUnderTest;

  beforeAll(async () => {
    server = await startModelServer();
    builders = await BuilderUnderTest.prepare({
      OPENAI_API_KEY: 'sk-test',
      OPENAI_BASE_URL: server.openAiUrl,
      ANTHROPIC_API_KEY: 'sk-test',
      ANTHROPIC_BASE_URL: server.anthropicUrl,
      COMPATIBLE_BASE_URL: server.openAiUrl,
      MODEL_TIMEOUT_MS: '1000',
      BUILDER_LEASE_MS: '2000',
    });
    await builders.startHere();
  });

  afterAll(async () => {
    await builders?.stop();
    await server?.close();
  });

  const makeAgent = (name = model) =>
    builders.makeAgent({ models: { agent: { model: name } }, input: '# Old', options: { temperature: 0.3 } });
  /** What billing is told of the answers of a builder run, in their order. */
  const toldOf = (id: string) => usageTold(builders, id);
  const start = async (name?: string) => builders.generate((await makeAgent(name)).buildId, 'Tidy it up');

  it.each(models)('take the procedure that %s proposes', async (name) => {
    server.script(proposes);
    const before = server.requests.length;
    const run = await builders.until(await start(name), 'awaiting_review');
    expect(run.proposed_config).toMatchObject({
      data: { input: '# Mails\n\nAnswer them.', models: { agent: { model: name } } },
    });
    expect(server.requests).toHaveLength(before + 1);
    const request = server.requests.at(-1)!;
    expect(request).toMatchObject({ temperature: 0.3 });
    expect(JSON.stringify(request)).toContain('# Old');
    expect(JSON.stringify(request)).toContain('Tidy it up');
  });

  it.each(models)('pass the questions of %s on, and the answers back', async (name) => {
    const questions = [{ question: 'How often?', options: [{ label: 'Daily' }] }, { question: 'Whose?' }];
    server.script({ kind: 'turn', toolCalls: [{ name: 'ask_questions', arguments: { questions } }] });
    const id = await start(name);
    const waiting = await builders.until(id, 'waiting');
    expect(waiting.pending_user_questions).toEqual({ questions });
    server.script(proposes);
    await builders.call(resumeBuilderRun, {
      params: { builder_run_id: id },
      body: { answers: { 'How often?': 'Hourly', 'Whose?': ['mine', 'yours'] } },
    });
    await builders.until(id, 'awaiting_review');
    const request = JSON.stringify(server.requests.at(-1));
    expect(request).toContain('<question>How often?</question>\\n<answer>Hourly</answer>');
    expect(request).toContain('mine, yours');
  });

  it('tell a model what was wrong with its call, and ask again', async () => {
    server.script(
      { kind: 'turn', toolCalls: [{ name: 'propose_procedure', arguments: { text: '# Mails' } }] },
      { kind: 'turn', text: 'What do you mean?' },
      proposes,
    );
    const before = server.requests.length;
    const { agentId, buildId } = await makeAgent();
    const id = await builders.generate(buildId, 'Tidy it up');
    await builders.until(id, 'awaiting_review');
    // Each answer is paid for, also those that were of no use.
    const answer = {
      agent_id: agentId,
      agent_name: 'Untitled agent',
      model,
      input_tokens: 7,
      output_tokens: 5,
    };
    expect(await toldOf(id)).toEqual([answer, answer, answer]);
    expect(server.requests).toHaveLength(before + 3);
    expect(JSON.stringify(server.requests[before + 1])).toContain('The arguments are not valid');
    expect(JSON.stringify(server.requests[before + 2])).toContain('Call ask_questions or propose_procedure');
  });

  it('fail when a model makes no use of its tools', async () => {
    server.script({ kind: 'turn', text: 'I would rather talk.' });
    const before = server.requests.length;
    const { error } = await builders.until(await start(), 'failed');
    expect(error).toEqual({
      code: 'model_error',
      message: 'The model made no usable proposal in 4 answers.',
    });
    expect(server.requests).toHaveLength(before + 4);
  });

  it.each([
    ['is busy', { kind: 'status', status: 429, retryAfter: '1' }],
    ['fails', { kind: 'status', status: 500 }],
    ['babbles', { kind: 'garbage' }],
    ['breaks off', { kind: 'cut' }],
    ['hangs', { kind: 'hang' }],
  ] as const)('go on after a model that %s once', async (_what, trouble) => {
    server.script(trouble, proposes);
    const run = await builders.until(await start(), 'awaiting_review');
    expect(run.proposed_config).toMatchObject({ data: { input: '# Mails\n\nAnswer them.' } });
    // What was no answer has told no usage.
    expect(await toldOf(run.id)).toEqual([expect.objectContaining({ input_tokens: 7, output_tokens: 5 })]);
  });

  it('fail when the key is wrong, and say so', async () => {
    server.script({ kind: 'status', status: 401 });
    const before = server.requests.length;
    const failed = await builders.until(await start(), 'failed');
    expect(failed).toMatchObject({
      error: { code: 'model_error', message: `${model} answered 401: stand-in answers 401.` },
      progress: { phase: 'drafting' },
      proposed_config: null,
    });
    expect(failed.completed_at).not.toBeNull();
    expect(server.requests).toHaveLength(before + 1);
    expect(await builders.row(failed.id)).toMatchObject({ lease_token: null, lease_until: null });
  });

  it('fail when a model babbles on and on', async () => {
    server.script({ kind: 'garbage' });
    const { error } = await builders.until(await start(), 'failed', 55_000);
    expect(error).toEqual({ code: 'model_error', message: `${model} gave an answer that cannot be read.` });
  });

  it('hold their lease while a model hangs', async () => {
    server.script({ kind: 'hang' });
    const id = await start();
    const first = await builders.untilRow(id, { phase: 'drafting', status: 'running' });
    await eventually(async () => {
      const row = await builders.row(id);
      expect(row.lease_token).toBe(first.lease_token);
      // Renewed for longer than it would have lasted.
      expect(row.lease_until!.getTime() - first.lease_until!.getTime()).toBeGreaterThan(2500);
    });
    server.script(proposes);
    await builders.until(id, 'awaiting_review');
  });

  it('end, and hang up on the model, when the agent is deleted', async () => {
    server.script({ kind: 'hang' });
    const { agentId, buildId } = await makeAgent();
    const id = await builders.generate(buildId);
    const before = { requests: server.requests.length, abandoned: server.abandoned };
    await eventually(() => expect(server.requests.length).toBeGreaterThan(before.requests));
    await builders.call(deleteAgent, { params: { agent_id: agentId } });
    await eventually(() => expect(server.abandoned).toBeGreaterThan(before.abandoned));
    server.script(proposes);
    expect(await builders.row(id)).toMatchObject({ status: 'discarded', proposed_config: null });
  });
});

describe('builder runs without a model', () => {
  let builders: BuilderUnderTest;

  beforeAll(async () => {
    builders = await BuilderUnderTest.prepare();
    await builders.startHere();
  });

  afterAll(() => builders?.stop());

  it.each(models)('fail at once when the installation has no %s', async (name) => {
    const { buildId } = await builders.makeAgent({ models: { agent: { model: name } } });
    const failed = await builders.until(await builders.generate(buildId), 'failed');
    expect(failed).toMatchObject({
      error: { code: 'model_error', message: `The model ${name} is not configured on this installation.` },
      progress: { phase: 'reading' },
    });
  });

  it('count the tokens of the built-in one by its letters', async () => {
    const { buildId } = await builders.makeAgent({ input: '# Old' });
    const { id } = await builders.proposal(buildId);
    const { proposed_config: proposed } = await builders.row(id);
    const [used, ...others] = await usageTold(builders, id);
    expect(others).toEqual([]);
    expect(used).toMatchObject({
      model: 'builtin/scripted',
      input_tokens: Math.ceil((clearPrompt.length + '# Old'.length) / 4),
      output_tokens: Math.ceil(proposed!.data.input.length / 4),
    });
  });
});
