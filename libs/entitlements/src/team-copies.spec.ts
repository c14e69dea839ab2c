import { TeamCopies } from './team-copies.js';

describe('copies of what is known of teams', () => {
  const counting = (livesForMs: number) => {
    let reads = 0;
    return new TeamCopies(livesForMs, async (teamId) => ({ teamId, read: (reads += 1) }));
  };

  it('are read once while they are good, each team by itself', async () => {
    const copies = counting(60_000);
    const seen = [await copies.of('a'), await copies.of('a'), await copies.of('b')];
    expect(seen.map(({ teamId, read }) => [teamId, read])).toEqual([
      ['a', 1],
      ['a', 1],
      ['b', 2],
    ]);
  });

  it('are read again when they were forgotten, or the latest is wanted', async () => {
    const copies = counting(60_000);
    await copies.of('a');
    copies.forget('a');
    expect((await copies.of('a')).read).toBe(2);
    expect((await copies.latest('a')).read).toBe(3);
    expect((await copies.of('a')).read).toBe(3);
  });

  it('are read once for all who want them at the same time', async () => {
    const copies = counting(60_000);
    const seen = await Promise.all(['a', 'a', 'b', 'a'].map((teamId) => copies.of(teamId)));
    expect(seen.map(({ read }) => read)).toEqual([1, 1, 2, 1]);
  });

  it('are read again by those who waited for a read that has failed', async () => {
    let reads = 0;
    const copies = new TeamCopies(60_000, async () => {
      reads += 1;
      if (reads === 1) throw new Error('away');
      return { reads };
    });
    const asked = await Promise.allSettled([copies.of('a'), copies.of('a')]);
    expect(asked).toMatchObject([{ status: 'rejected' }, { status: 'fulfilled', value: { reads: 2 } }]);
    expect(await copies.of('a')).toEqual({ reads: 2 });
  });

  it('are not what was read before they were forgotten', async () => {
    const copies = counting(60_000);
    const before = copies.of('a');
    copies.forget('a');
    expect((await copies.of('a')).read).toBe(2);
    expect((await before).read).toBe(1);
    expect((await copies.of('a')).read).toBe(2);
  });

  it('are not kept at all if they are good for no time', async () => {
    const copies = counting(0);
    await copies.of('a');
    expect((await copies.of('a')).read).toBe(2);
  });
});
