import { SerialQueue, untilAborted, within } from './waiting.js';

const never = new Promise<never>(() => undefined);

describe('untilAborted', () => {
  it('settles as the promise does', async () => {
    const { signal } = new AbortController();
    expect(await untilAborted(Promise.resolve(1), signal)).toBe(1);
    await expect(untilAborted(Promise.reject(new Error('no')), signal)).rejects.toThrow('no');
    expect(await untilAborted(Promise.resolve(1), undefined)).toBe(1);
  });

  it('rejects with the reason, before and during', async () => {
    const reason = new Error('stop');
    await expect(untilAborted(never, AbortSignal.abort(reason))).rejects.toBe(reason);
    const controller = new AbortController();
    const waiting = untilAborted(never, controller.signal);
    controller.abort(reason);
    await expect(waiting).rejects.toBe(reason);
  });
});

describe('within', () => {
  it('gives the result, or undefined for a failure and for what is late', async () => {
    expect(await within(10_000, Promise.resolve(1))).toBe(1);
    expect(await within(10_000, Promise.reject(new Error('no')))).toBeUndefined();
    expect(await within(1, never)).toBeUndefined();
  });
});

describe('SerialQueue', () => {
  it('runs one task after the other, also after a failure', async () => {
    const queue = new SerialQueue();
    const seen: string[] = [];
    const task = (name: string) => async (): Promise<void> => {
      seen.push(`${name} begins`);
      await new Promise((resolve) => setImmediate(resolve));
      seen.push(`${name} ends`);
      if (name === 'a') throw new Error('a failed');
    };
    const results = await Promise.allSettled([queue.run(task('a')), queue.run(task('b'))]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
    expect(seen).toEqual(['a begins', 'a ends', 'b begins', 'b ends']);
  });
});
