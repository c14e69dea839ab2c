import type { QueryKey } from '@tanstack/react-query';
import { Refreshes } from './refreshes';

const jest = import.meta.jest;

describe('what events have made old', () => {
  const asked: QueryKey[] = [];
  let answer: () => void;
  let refreshes: Refreshes;

  beforeEach(() => {
    jest.useFakeTimers();
    asked.length = 0;
    refreshes = new Refreshes((key) => {
      asked.push(key);
      return new Promise<void>((resolve) => (answer = resolve));
    });
  });

  afterEach(() => {
    refreshes.stop();
    jest.useRealTimers();
  });

  it('is asked for once, however many events there were in a moment', async () => {
    refreshes.add([['runs']]);
    refreshes.add([['runs'], ['usage']]);
    await jest.advanceTimersByTimeAsync(250);
    expect(asked).toEqual([['runs'], ['usage']]);
  });

  it('is not asked for again before the answer is there', async () => {
    for (let events = 0; events < 20; events += 1) {
      refreshes.add([['inbox']]);
      await jest.advanceTimersByTimeAsync(100);
    }
    expect(asked).toEqual([['inbox']]);
    answer();
    await jest.advanceTimersByTimeAsync(250);
    expect(asked).toEqual([['inbox'], ['inbox']]);
  });

  it('is not asked for any more once nobody looks', async () => {
    refreshes.add([['runs']]);
    refreshes.stop();
    refreshes.add([['runs']]);
    await jest.advanceTimersByTimeAsync(1_000);
    expect(asked).toEqual([]);
  });
});
