import { getEventListeners } from 'node:events';
import { unlessAborted, untilAborted } from './abort.js';

describe('unlessAborted', () => {
  let controller: AbortController;

  beforeEach(() => {
    controller = new AbortController();
  });

  const listeners = () => getEventListeners(controller.signal, 'abort').length;

  it('gives what the work gives, and leaves nothing behind', async () => {
    expect(await unlessAborted(Promise.resolve(3), controller.signal)).toBe(3);
    const failing = unlessAborted(Promise.reject(new Error('no')), controller.signal);
    await expect(failing).rejects.toThrow('no');
    expect(listeners()).toBe(0);
  });

  it('gives nothing once the signal aborts, and how the work ends is of no matter', async () => {
    let fail: (error: Error) => void = () => undefined;
    const work = new Promise<number>((_resolve, reject) => (fail = reject));
    const outcome = unlessAborted(work, controller.signal);
    expect(listeners()).toBe(1);
    controller.abort();
    expect(await outcome).toBeUndefined();
    fail(new Error('too late'));
    await expect(work).rejects.toThrow('too late');
    expect(await unlessAborted(work, controller.signal)).toBeUndefined();
  });
});

describe('untilAborted', () => {
  it('resolves when the signal aborts, at once if it has', async () => {
    const controller = new AbortController();
    let over = false;
    const waiting = untilAborted(controller.signal).then(() => (over = true));
    await Promise.resolve();
    expect(over).toBe(false);
    controller.abort();
    await waiting;
    await untilAborted(controller.signal);
    expect(over).toBe(true);
  });
});
