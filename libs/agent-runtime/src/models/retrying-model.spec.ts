import { ModelError } from './errors/model-error.js';
import type { Model, ModelRequest, ModelTurn } from './model.js';
import { RetryingModel } from './retrying-model.js';

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
    expect(await model.generate(request())).toEqual({ ...turn, attempts: 4 });
    expect(waits).toEqual([500, 1000, 9000]);
  });

  it('gives up after five tries', async () => {
    const model = failing(...Array.from({ length: 9 }, () => transient()));
    const patient = new RetryingModel(model, { wait: async () => undefined });
    await expect(patient.generate(request())).rejects.toMatchObject({
      message: 'busy',
      options: { attempts: 5 },
    });
    expect(model.calls).toBe(5);
  });

  it('does not repeat what cannot succeed', async () => {
    const model = failing(new ModelError('permanent', 'wrong key'));
    await expect(new RetryingModel(model).generate(request())).rejects.toMatchObject({
      message: 'wrong key',
      options: { attempts: 1 },
    });
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
