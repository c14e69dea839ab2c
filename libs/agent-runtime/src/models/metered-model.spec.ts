import { MeteredModel } from './metered-model.js';
import { ModelError } from './errors/model-error.js';
import type { Model, TokenUsage } from './model.js';
import { RetryingModel } from './retrying-model.js';

const usage = (tokens: number): TokenUsage => ({ inputTokens: tokens, outputTokens: 2 * tokens });
const empty = (used?: TokenUsage) => new ModelError('transient', 'empty', { usage: used });
const request = { system: '', messages: [], tools: [], signal: new AbortController().signal };

/** A model that fails with these errors, then answers. */
function answering(errors: ModelError[], used: TokenUsage): Model {
  return {
    generate: async () => {
      const error = errors.shift();
      if (error) throw error;
      return { text: 'ok', thinking: '', toolCalls: [], usage: used };
    },
  };
}

describe('a metered model', () => {
  const told: TokenUsage[] = [];
  const metered = (model: Model) => {
    told.length = 0;
    const retrying = new RetryingModel(model, { wait: async () => undefined });
    return new MeteredModel(retrying, async (used) => void told.push(used));
  };

  it('tells what an answer has used, once', async () => {
    await metered(answering([], usage(3))).generate(request);
    expect(told).toEqual([usage(3)]);
  });

  it('tells of answers that were of no use, with the one that is', async () => {
    const turn = await metered(answering([empty(usage(5)), empty(), empty(usage(1))], usage(3))).generate(
      request,
    );
    expect(turn).toMatchObject({ attempts: 4, usage: usage(9) });
    expect(told).toEqual([usage(9)]);
  });

  it('tells of them when none is of use', async () => {
    const model = metered(
      answering(
        Array.from({ length: 5 }, () => empty(usage(2))),
        usage(3),
      ),
    );
    await expect(model.generate(request)).rejects.toMatchObject({ options: { attempts: 5 } });
    expect(told).toEqual([usage(10)]);
  });

  it('tells nothing of a call without an answer', async () => {
    const refused = new ModelError('permanent', 'wrong key');
    await expect(metered(answering([refused], usage(3))).generate(request)).rejects.toBe(refused);
    expect(told).toEqual([]);
  });
});
