import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Batcher, type BatchOutcome } from './batcher.js';

/** A batcher whose batches end when the test says so. */
function steppedBatcher(maxSize = 100) {
  const batches: string[][] = [];
  const ends: (() => void)[] = [];
  const batcher = new Batcher<string, string>({
    maxSize,
    run: async (items) => {
      batches.push([...items]);
      await new Promise<void>((resolve) => ends.push(resolve));
      return items.map((item): BatchOutcome<string> =>
        item === 'bad'
          ? { ok: false, error: new Error('bad item') }
          : { ok: true, value: item.toUpperCase() },
      );
    },
  });
  /** Ends the batch under way and lets the next begin. */
  const endBatch = async () => {
    await settled();
    ends.shift()!();
    await settled();
  };
  return { batcher, batches, endBatch };
}

/** Lets everything happen that waits for nothing else; a batch that others join waits for two turns. */
const settled = async () => {
  for (let turns = 0; turns < 3; turns += 1) await nextTurn();
};

describe('Batcher', () => {
  it('runs a single call at once', async () => {
    const { batcher, batches, endBatch } = steppedBatcher();
    const result = batcher.add('a');
    await endBatch();
    expect(await result).toBe('A');
    expect(batches).toEqual([['a']]);
  });

  it('puts the calls of one turn together, and those made during a batch into the next', async () => {
    const { batcher, batches, endBatch } = steppedBatcher();
    const first = [batcher.add('a'), batcher.add('b')];
    await settled();
    const second = [batcher.add('c'), batcher.add('d')];
    await settled();
    expect(batches).toEqual([['a', 'b']]);
    await endBatch();
    expect(batches).toEqual([
      ['a', 'b'],
      ['c', 'd'],
    ]);
    await endBatch();
    expect(await Promise.all([...first, ...second])).toEqual(['A', 'B', 'C', 'D']);
  });

  it('waits for a second turn only where others have joined it in the first', async () => {
    const joined = steppedBatcher();
    void joined.batcher.add('a');
    void joined.batcher.add('b');
    const alone = steppedBatcher();
    void alone.batcher.add('a');
    await nextTurn();
    void joined.batcher.add('c');
    void alone.batcher.add('b');
    await settled();
    expect(joined.batches).toEqual([['a', 'b', 'c']]);
    expect(alone.batches).toEqual([['a']]);
  });

  it('lets one bad item fail alone', async () => {
    const { batcher, endBatch } = steppedBatcher();
    const outcomes = Promise.allSettled([batcher.add('a'), batcher.add('bad'), batcher.add('c')]);
    await endBatch();
    expect(await outcomes).toMatchObject([{ value: 'A' }, { reason: new Error('bad item') }, { value: 'C' }]);
  });

  it('makes no batch larger than it may be, and keeps the order', async () => {
    const { batcher, batches, endBatch } = steppedBatcher(2);
    const all = Promise.all(['a', 'b', 'c', 'd', 'e'].map((item) => batcher.add(item)));
    for (let batch = 0; batch < 3; batch += 1) await endBatch();
    expect(await all).toEqual(['A', 'B', 'C', 'D', 'E']);
    expect(batches).toEqual([['a', 'b'], ['c', 'd'], ['e']]);
  });

  it('refuses a whole batch whose run throws, and goes on', async () => {
    let runs = 0;
    const batcher = new Batcher<number, number>({
      maxSize: 2,
      run: async (items) => {
        runs += 1;
        if (runs === 1) throw new Error('the store is away');
        return items.map((value) => ({ ok: true, value }));
      },
    });
    const outcomes = await Promise.allSettled([1, 2, 3].map((item) => batcher.add(item)));
    expect(outcomes).toMatchObject([
      { reason: new Error('the store is away') },
      { reason: new Error('the store is away') },
      { value: 3 },
    ]);
    expect(await batcher.add(4)).toBe(4);
  });

  it('refuses an item without an outcome', async () => {
    const batcher = new Batcher<number, number>({ maxSize: 10, run: async () => [{ ok: true, value: 1 }] });
    const outcomes = await Promise.allSettled([batcher.add(1), batcher.add(2)]);
    expect(outcomes).toMatchObject([{ value: 1 }, { reason: expect.any(Error) as Error }]);
  });

  it('settles when nothing is left', async () => {
    const { batcher, endBatch } = steppedBatcher(1);
    const seen: string[] = [];
    void batcher.add('a').then((value) => seen.push(value));
    void batcher.add('b').then((value) => seen.push(value));
    const end = batcher.settle().then(() => seen.push('settled'));
    await endBatch();
    await endBatch();
    await end;
    expect(seen).toEqual(['A', 'B', 'settled']);
    await batcher.settle();
  });

  it('runs in no context of its callers', async () => {
    const storage = new AsyncLocalStorage<string>();
    const seen: (string | undefined)[] = [];
    const batcher = new Batcher<number, number>({
      maxSize: 1,
      run: async (items) => {
        seen.push(storage.getStore());
        return items.map((value) => ({ ok: true, value }));
      },
    });
    const callers = ['a', 'b', 'c'].map((name) =>
      storage.run(name, async () => {
        await batcher.add(1);
        return storage.getStore();
      }),
    );
    expect(await Promise.all(callers)).toEqual(['a', 'b', 'c']);
    expect(seen).toEqual([undefined, undefined, undefined]);
  });

  it('tries each alone where one may have spoilt the batch', async () => {
    const batches: string[][] = [];
    const batcher = new Batcher<string, string>({
      maxSize: 10,
      run: async (items) => {
        batches.push([...items]);
        if (items.includes('bad')) throw new Error('spoilt');
        return items.map((value) => ({ ok: true, value }));
      },
      tryAlone: (error) => error instanceof Error && error.message === 'spoilt',
    });
    const outcomes = await Promise.allSettled(['a', 'bad', 'b'].map((item) => batcher.add(item)));
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(batches).toEqual([['a', 'bad', 'b'], ['a'], ['bad'], ['b']]);
  });
});
