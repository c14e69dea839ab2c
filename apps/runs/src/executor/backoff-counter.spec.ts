import { pauseAfterMs, BackoffCounter } from './backoff-counter.js';

describe('the pause of a run that is handed back', () => {
  it.each([
    [1, 1_000],
    [2, 2_000],
    [4, 8_000],
    [7, 60_000],
    [5_000, 60_000],
  ])('after %i setbacks in a row is %i ms', (setbacks, pauseMs) => {
    expect(pauseAfterMs(setbacks)).toBe(pauseMs);
  });
});

describe('setbacks', () => {
  it('are counted for each run until it gets further', () => {
    const setbacks = new BackoffCounter();
    expect([setbacks.add('a'), setbacks.add('a'), setbacks.add('b')]).toEqual([1, 2, 1]);
    setbacks.forget('a');
    expect([setbacks.add('a'), setbacks.add('b')]).toEqual([1, 2]);
  });

  it('of runs that were heard of long ago are forgotten before others', () => {
    const setbacks = new BackoffCounter();
    setbacks.add('old');
    setbacks.add('used');
    for (let n = 0; n < 9_998; n += 1) setbacks.add(`other ${n}`);
    setbacks.add('used');
    setbacks.add('one more');
    expect([setbacks.add('used'), setbacks.add('old')]).toEqual([3, 1]);
  });
});
