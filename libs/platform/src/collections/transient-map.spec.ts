import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { TransientMap } from './transient-map.js';

const map = () => {
  const made = new TransientMap<string, { n: number }>();
  for (const [n, key] of ['a', 'b', 'c'].entries()) made.set(key, { n });
  return made;
};

describe('a transient map', () => {
  it('gives what it has, in the order in which it came', () => {
    const made = map();
    made.set('a', { n: 7 });
    expect(made.delete('b')).toEqual({ n: 1 });
    expect(made.delete('b')).toBeUndefined();
    made.set('b', { n: 8 });
    expect([...made]).toEqual([
      ['a', { n: 7 }],
      ['c', { n: 2 }],
      ['b', { n: 8 }],
    ]);
    expect([...made.keys()]).toEqual(['a', 'c', 'b']);
    expect([...made.values()]).toEqual([{ n: 7 }, { n: 2 }, { n: 8 }]);
    expect([made.size, made.has('c'), made.has('d'), made.get('d')]).toEqual([3, true, false, undefined]);
  });

  it('can lose what it is being read for', () => {
    const made = map();
    for (const [key] of made) made.delete(key);
    expect([made.size, ...made]).toEqual([0]);
  });

  it('leaves nothing in the old generation of what has gone', () => {
    const made = new TransientMap<number, object>();
    expect(grownBy((n) => comeAndGo(made, n))).toBeLessThan(bytesInAll / 10);
  });
});

const entries = 20_000;
const numbersInEach = 128;
const bytesInAll = entries * numbersInEach * 8;

function comeAndGo(made: TransientMap<number, object>, n: number): void {
  made.set(n, new Array(numbersInEach).fill(n));
  made.delete(n - 10);
}

/** What the old generation has more after as many turns, in which only the young one was collected. */
function grownBy(turn: (n: number) => void): number {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as (options?: { type: 'minor' }) => void;
  collect();
  const before = oldBytes();
  for (let n = 0; n < entries; n += 1) {
    turn(n);
    if (n % 200 === 0) collect({ type: 'minor' });
  }
  return oldBytes() - before;
}

function oldBytes(): number {
  return getHeapSpaceStatistics().find(({ space_name: name }) => name === 'old_space')!.space_used_size;
}
