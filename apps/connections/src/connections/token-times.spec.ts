import { refreshPauseMs, tokenTimes, triedForMs } from './token-times.js';

describe('the times of a token', () => {
  it('leave a fifth of a short life, and five minutes of a long one, for the refresh', () => {
    expect(tokenTimes(600, true)).toEqual({
      staleMs: 480 * 1_000,
      expiresMs: 600 * 1_000,
      refreshMs: 480 * 1_000,
    });
    expect(tokenTimes(86_400, true).refreshMs).toEqual(86_100 * 1_000);
  });

  it('are its end where it cannot be refreshed', () => {
    expect(tokenTimes(600, false)).toMatchObject({ staleMs: 600 * 1_000, refreshMs: 600 * 1_000 });
  });

  it.each([0, 1, 60])('leave a minute before the next refresh where a token lives for %d s', (seconds) => {
    for (const canRefresh of [true, false]) {
      expect(tokenTimes(seconds, canRefresh)).toMatchObject({
        expiresMs: seconds * 1_000,
        refreshMs: 60 * 1_000,
      });
    }
    expect(tokenTimes(seconds, true).staleMs).toEqual(seconds * 0.8 * 1_000);
  });

  it('are none where the provider tells none', () => {
    expect(tokenTimes(undefined, true)).toMatchObject({
      staleMs: null,
      expiresMs: null,
      refreshMs: null,
    });
  });

  it.each([1e12, 1e15, 1e300])('are dates within ten years if %d seconds are told', (seconds) => {
    const tenYears = 10 * 365 * 86_400;
    expect(tokenTimes(seconds, true)).toMatchObject({
      expiresMs: tenYears * 1_000,
      refreshMs: (tenYears - 300) * 1_000,
    });
  });

  it('lie further apart with each try in vain, up to ten minutes', () => {
    expect([1, 2, 3, 9, 10, 99].map(refreshPauseMs)).toEqual([
      2_000, 4_000, 8_000, 512_000, 600_000, 600_000,
    ]);
    expect([0, 1, 2, 3, 11].map(triedForMs)).toEqual([0, 2_000, 6_000, 14_000, 2_222_000]);
  });
});
