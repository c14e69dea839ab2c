import { inBatches } from './bulk-change';

describe('a change of many cases', () => {
  const ids = (count: number) => Array.from({ length: count }, (_, index) => `case-${index}`);

  it('leaves none of those out that were chosen, and asks for no more at once than the service takes', async () => {
    const asked: (readonly string[])[] = [];
    const counts = await inBatches(ids(250), async (batch) => {
      asked.push(batch);
      return { changed: batch.length - 1, skipped: 1 };
    });
    expect(asked.map(({ length }) => length)).toEqual([100, 100, 50]);
    expect(asked.flat()).toEqual(ids(250));
    expect(counts).toEqual({ changed: 247, skipped: 3 });
  });

  it('ends at the first refusal', async () => {
    let asked = 0;
    const work = inBatches(ids(300), async () => {
      asked += 1;
      if (asked === 2) throw new Error('refused');
      return { changed: 100, skipped: 0 };
    });
    await expect(work).rejects.toThrow('refused');
    expect(asked).toBe(2);
  });
});
