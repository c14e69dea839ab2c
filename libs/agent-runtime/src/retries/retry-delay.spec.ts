import { maxRetryDelayMs, parseRetryAfterMs, retryDelayMs } from './retry-delay.js';

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
