import { maxRetryDelayMs, parseRetryAfterMs, retryDelayMs, retrying } from './retrying.js';

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
