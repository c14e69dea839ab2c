import { AiSdkModel } from './ai-sdk-model.js';
import type { ModelTurn } from './model.js';
import type { SdkModel } from './shallow-calls.js';

const usage = {
  inputTokens: { total: 3, noCache: 3, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 4, text: 4, reasoning: 0 },
};

/** A provider that calls the tool with each of the given arguments in one answer. */
function calling(toolName: string, ...inputs: string[]): SdkModel {
  const stream = () =>
    ReadableStream.from([
      ...inputs.map((input, index) => ({
        type: 'tool-call' as const,
        toolCallId: `c${index}`,
        toolName,
        input,
      })),
      {
        type: 'finish' as const,
        finishReason: { unified: 'tool-calls' as const, raw: undefined },
        usage,
      },
    ]);
  return {
    specificationVersion: 'v3',
    provider: 'test',
    modelId: 'test',
    supportedUrls: {},
    doGenerate: () => Promise.reject(new Error('the answer is streamed')),
    doStream: async () => ({ stream: stream() }),
  };
}

function generate(model: SdkModel): Promise<ModelTurn> {
  return new AiSdkModel({ model, name: 'test/test', timeoutMs: 60_000 }).generate({
    system: '',
    messages: [{ role: 'user', text: 'Hi' }],
    tools: [{ name: 'echo', description: '', parameters: { type: 'object' } }],
    signal: new AbortController().signal,
  });
}

describe('the arguments of a call', () => {
  const deep = `{"a":${'['.repeat(20_000)}${']'.repeat(20_000)}}`;

  it('may be nested, also in text', async () => {
    const { toolCalls } = await generate(calling('echo', '{"a":[{"b":"[[[["}]}', '', '[1]', '{"a'));
    expect(toolCalls).toEqual([
      { id: 'c0', name: 'echo', arguments: { a: [{ b: '[[[[' }] } },
      { id: 'c1', name: 'echo', arguments: {} },
      { id: 'c2', name: 'echo', arguments: { input: [1] } },
      { id: 'c3', name: 'echo', arguments: {}, refused: expect.stringContaining('not JSON') as string },
    ]);
  });

  it.each(['echo', 'no_such'])(
    'that are nested too deep are refused for %s, the others kept',
    async (name) => {
      const turn = await generate(calling(name, deep, '{"n":1}'));
      expect(turn).toMatchObject({
        toolCalls: [
          { id: 'c0', arguments: {}, refused: expect.stringContaining('nested deeper than 100 levels') },
          { id: 'c1', arguments: { n: 1 } },
        ],
        usage: { inputTokens: 3, outputTokens: 4 },
      });
    },
  );
});

describe('the end of an answer', () => {
  type Part = { readonly type: string } & Record<string, unknown>;
  /** A provider that gives half of a sentence, these parts, and this ending. */
  const ending = (raw: string | undefined, ...parts: Part[]): SdkModel => ({
    specificationVersion: 'v3',
    provider: 'test',
    modelId: 'test',
    supportedUrls: {},
    doGenerate: () => Promise.reject(new Error('the answer is streamed')),
    doStream: async () => ({
      stream: ReadableStream.from([
        { type: 'text-start', id: 't' },
        { type: 'text-delta', id: 't', delta: 'Half of a sen' },
        { type: 'text-end', id: 't' },
        ...parts,
        { type: 'finish', finishReason: { unified: raw === undefined ? 'stop' : 'other', raw }, usage },
      ]) as never,
    }),
  });

  it.each([
    ['model_context_window_exceeded', 'AnswerTruncatedError'],
    ['max_tokens', 'AnswerTruncatedError'],
    ['safety', 'AnswerFilteredError'],
    ['refusal', 'AnswerFilteredError'],
    ['error', 'ModelError'],
    ['insufficient_system_resource', 'ModelError'],
  ])('is no success for %s, which the SDK does not know', async (raw, name) => {
    await expect(generate(ending(raw))).rejects.toMatchObject({ name });
  });

  it.each([undefined, 'eos', 'end_of_turn'])('is a success for %s', async (raw) => {
    expect(await generate(ending(raw))).toMatchObject({ text: 'Half of a sen' });
  });

  it('is a filtered answer where the model refused in a field of its own', async () => {
    const refused = { type: 'raw', rawValue: { choices: [{ delta: { refusal: 'I cannot help.' } }] } };
    const model = ending(undefined, refused);
    await expect(generate(model)).rejects.toMatchObject({ name: 'AnswerFilteredError' });
  });

  it('carries the reason of an error inside the stream', async () => {
    const model = ending(undefined, { type: 'error', error: { message: 'Quota exceeded' } });
    await expect(generate(model)).rejects.toThrow('test/test broke its answer off: Quota exceeded.');
  });
});
