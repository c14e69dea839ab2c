import { retrying } from './retrying.js';

describe('retrying', () => {
  const signal = new AbortController().signal;
  const isTransient = (error: unknown) => error instanceof RangeError;

  it('tells the work which attempt it is', async () => {
    const attempts: number[] = [];
    const work = async (attempt: number) => {
      attempts.push(attempt);
      if (attempt < 3) throw new RangeError('not yet');
      return 'done';
    };
    expect(await retrying(work, { isTransient, signal, wait: async () => undefined })).toBe('done');
    expect(attempts).toEqual([1, 2, 3]);
  });

  it('does not try again once it is aborted', async () => {
    const stop = new AbortController();
    const work = async () => {
      stop.abort();
      throw new RangeError('not yet');
    };
    const wait = async () => {
      throw new Error('waited');
    };
    await expect(retrying(work, { isTransient, signal: stop.signal, wait })).rejects.toThrow('not yet');
  });
});
