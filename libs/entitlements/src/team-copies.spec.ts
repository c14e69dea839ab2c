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

  it('are not kept at all if they are good for no time', async () => {
    const copies = counting(0);
    await copies.of('a');
    expect((await copies.of('a')).read).toBe(2);
  });
});
