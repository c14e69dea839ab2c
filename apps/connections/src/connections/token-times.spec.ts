import { refreshPauseMs, tokenTimes, triedForMs } from './token-times.js';

const at = new Date('2026-01-01T00:00:00.000Z');
const later = (seconds: number) => new Date(at.getTime() + seconds * 1_000);

describe('the times of a token', () => {
  it('leave a fifth of a short life, and five minutes of a long one, for the refresh', () => {
    expect(tokenTimes(600, true, at)).toEqual({
      obtainedAt: at,
      staleAt: later(480),
      expiresAt: later(600),
      refreshAt: later(480),
    });
    expect(tokenTimes(86_400, true, at).refreshAt).toEqual(later(86_100));
  });

  it('are its end where it cannot be refreshed', () => {
    expect(tokenTimes(600, false, at)).toMatchObject({ staleAt: later(600), refreshAt: later(600) });
  });

  it.each([0, 1, 60])('leave a minute before the next refresh where a token lives for %d s', (seconds) => {
    for (const canRefresh of [true, false]) {
      expect(tokenTimes(seconds, canRefresh, at)).toMatchObject({
        expiresAt: later(seconds),
        refreshAt: later(60),
      });
    }
    expect(tokenTimes(seconds, true, at).staleAt).toEqual(later(seconds * 0.8));
  });

  it('are none where the provider tells none', () => {
    expect(tokenTimes(undefined, true, at)).toMatchObject({
      staleAt: null,
      expiresAt: null,
      refreshAt: null,
    });
  });

  it.each([1e12, 1e15, 1e300])('are dates within ten years if %d seconds are told', (seconds) => {
    const tenYears = 10 * 365 * 86_400;
    expect(tokenTimes(seconds, true, at)).toMatchObject({
      expiresAt: later(tenYears),
      refreshAt: later(tenYears - 300),
    });
  });

  it('lie further apart with each try in vain, up to ten minutes', () => {
    expect([1, 2, 3, 9, 10, 99].map(refreshPauseMs)).toEqual([
      2_000, 4_000, 8_000, 512_000, 600_000, 600_000,
    ]);
    expect([0, 1, 2, 3, 11].map(triedForMs)).toEqual([0, 2_000, 6_000, 14_000, 2_222_000]);
  });
});
