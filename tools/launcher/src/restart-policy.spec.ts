import { failuresBefore, restartDelayMs } from './restart-policy.js';

describe('restartDelayMs', () => {
  it('is nothing at first and then doubles up to a limit', () => {
    expect([0, 1, 2, 3, 4, 5, 6, 7, 100].map(restartDelayMs)).toEqual([
      0, 500, 1000, 2000, 4000, 8000, 15_000, 15_000, 15_000,
    ]);
  });
});

describe('failuresBefore', () => {
  it('forgets failures after a while of running', () => {
    expect(failuresBefore(4, 29_999)).toBe(4);
    expect(failuresBefore(4, 30_000)).toBe(0);
  });
});
