import { ModelError } from './model-error.js';
import type { Model, ModelRequest, ModelTurn } from './model.js';
import { RetryingModel } from './retrying-model.js';
import { maxRetryDelayMs, parseRetryAfterMs, retryDelayMs } from './retry-delay.js';

const turn: ModelTurn = {
  text: 'ok',
  thinking: '',
  toolCalls: [],
  usage: { inputTokens: 1, outputTokens: 1 },
};

function failing(...errors: Error[]): Model & { calls: number } {
  return {
    calls: 0,
    async generate() {
      this.calls += 1;
      const error = errors.shift();
      if (error) throw error;
      return turn;
    },
  };
}

function request(signal = new AbortController().signal): ModelRequest {
  return { system: '', messages: [], tools: [], signal };
}

const transient = (retryAfterMs?: number) => new ModelError('transient', 'busy', { retryAfterMs });

describe('RetryingModel', () => {
  it('waits longer each time, or as long as it was told', async () => {
    const waits: number[] = [];
    const model = new RetryingModel(failing(transient(), transient(), transient(9000)), {
      wait: async (ms) => void waits.push(ms),
    });
    expect(await model.generate(request())).toBe(turn);
    expect(waits).toEqual([500, 1000, 9000]);
  });

  it('gives up after five tries', async () => {
    const model = failing(...Array.from({ length: 9 }, () => transient()));
    const retrying = new RetryingModel(model, { wait: async () => undefined });
    await expect(retrying.generate(request())).rejects.toThrow('busy');
    expect(model.calls).toBe(5);
  });

  it('does not repeat what cannot succeed', async () => {
    const model = failing(new ModelError('permanent', 'wrong key'));
    await expect(new RetryingModel(model).generate(request())).rejects.toThrow('wrong key');
    expect(model.calls).toBe(1);
  });

  it('stops waiting when it is aborted', async () => {
    const stop = new AbortController();
    const model = failing(transient(60_000));
    const call = new RetryingModel(model).generate(request(stop.signal));
    setImmediate(() => stop.abort());
    await expect(call).rejects.toMatchObject({ name: 'AbortError' });
    expect(model.calls).toBe(1);
  });
});

describe('retryDelayMs', () => {
  it('never exceeds a minute', () => {
    for (let attempt = 1; attempt < 100; attempt += 1) {
      expect(retryDelayMs(attempt, 10 ** attempt)).toBeLessThanOrEqual(maxRetryDelayMs);
    }
  });

  it.each([
    ['3', 3000],
    ['Sun, 06 Nov 1994 08:49:37 GMT', 7000],
    ['soon', undefined],
    [undefined, undefined],
  ])('reads Retry-After %s', (header, expected) => {
    expect(parseRetryAfterMs(header, Date.UTC(1994, 10, 6, 8, 49, 30))).toBe(expected);
  });
});
