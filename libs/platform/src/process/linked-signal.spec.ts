import { getEventListeners } from 'node:events';
import { withLinkedSignal } from './linked-signal.js';

describe('a linked signal', () => {
  it('is aborted with the first of its sources, for its reason', async () => {
    const sources = [new AbortController(), new AbortController()] as const;
    const signals = sources.map(({ signal }) => signal);
    await withLinkedSignal(signals, (signal) => {
      sources[1].abort('over');
      sources[0].abort('too late');
      expect([signal.aborted, signal.reason]).toEqual([true, 'over']);
      return Promise.resolve();
    });
  });

  it('is aborted where a source was before', async () => {
    const signals = [new AbortController().signal, AbortSignal.abort('gone')];
    expect(await withLinkedSignal(signals, ({ reason }) => Promise.resolve(reason))).toBe('gone');
  });

  it('leaves its sources alone when the work has ended, also with an error', async () => {
    const { signal: source } = new AbortController();
    let given!: AbortSignal;
    const work = (signal: AbortSignal) => {
      given = signal;
      return Promise.reject(new Error('no'));
    };
    await expect(withLinkedSignal([source], work)).rejects.toThrow('no');
    expect([given.aborted, getEventListeners(source, 'abort').length]).toEqual([false, 0]);
  });
});
