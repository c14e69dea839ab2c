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
