import { TransientSet } from './transient-set.js';

describe('a transient set', () => {
  it('has what was added and not taken out', () => {
    const set = new TransientSet<{ n: number }>();
    const [one, same] = [{ n: 1 }, { n: 1 }];
    const removeOne = set.add(one);
    set.add(same);
    expect([...set]).toEqual([one, same]);
    removeOne();
    removeOne();
    expect([...set]).toEqual([same]);
    expect(set.size).toBe(1);
  });

  it('has what was added twice until both are taken out', () => {
    const set = new TransientSet<object>();
    const one = {};
    const [first, second] = [set.add(one), set.add(one)];
    first();
    expect([...set]).toEqual([one]);
    second();
    expect([...set]).toEqual([]);
  });
});
