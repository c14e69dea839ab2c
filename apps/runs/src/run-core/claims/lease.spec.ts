import { maxTakeovers, suspectAfter, takeoverDelayMs } from './lease.js';

describe('takeoverDelayMs', () => {
  it('is nothing at first, so that a dead worker costs its runs no time', () => {
    expect([0, 1, suspectAfter - 1].map(takeoverDelayMs)).toEqual([0, 0, 0]);
  });

  it('doubles from the third time on, up to ten minutes', () => {
    const delays = Array.from({ length: 9 }, (_, index) => takeoverDelayMs(suspectAfter + index));
    expect(delays.slice(0, 4)).toEqual([5_000, 10_000, 20_000, 40_000]);
    expect(delays.at(-1)).toBe(600_000);
  });

  it('adds up to less than half an hour until the run is given up', () => {
    const all = Array.from({ length: maxTakeovers }, (_, takeovers) => takeoverDelayMs(takeovers));
    expect(all.reduce((sum, ms) => sum + ms, 0)).toBeLessThan(30 * 60_000);
  });
});
