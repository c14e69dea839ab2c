import { Turns } from './turns.js';

describe('Turns', () => {
  const never = new AbortController().signal;

  /** Takes turns for owners, named by number in the order they ask, and tells who was let in. */
  function line(turns: Turns, ...owners: string[]) {
    const entered: string[] = [];
    const takes = owners.map((owner, number) =>
      turns.take(owner, never).then(() => entered.push(`${owner}${number}`)),
    );
    return { entered, takes };
  }

  /** Lets everything that is to happen now happen. */
  const settled = () => new Promise((resolve) => setImmediate(resolve));

  it('lets so many in at once, and the others in their order', async () => {
    const turns = new Turns(2);
    const { entered } = line(turns, 'a', 'a', 'a', 'a');
    await settled();
    expect(entered).toEqual(['a0', 'a1']);
    turns.give('a');
    await settled();
    turns.give('a');
    await settled();
    expect(entered).toEqual(['a0', 'a1', 'a2', 'a3']);
  });

  it('lets the owner with the fewest inside in first, however many others came before', async () => {
    const turns = new Turns(2);
    const { entered } = line(turns, 'a', 'a', 'a', 'a', 'a', 'b', 'c', 'b');
    for (const owner of ['a', 'a', 'b', 'a', 'c', 'b']) {
      await settled();
      turns.give(owner);
    }
    await settled();
    expect(entered).toEqual(['a0', 'a1', 'b5', 'a2', 'c6', 'b7', 'a3', 'a4']);
  });

  it('passes over those who left', async () => {
    const turns = new Turns(1);
    const controller = new AbortController();
    await turns.take('a', never);
    const left = turns.take('b', controller.signal);
    const stays = turns.take('a', never);
    controller.abort('reason');
    await expect(left).rejects.toBe('reason');
    await expect(turns.take('a', controller.signal)).rejects.toBe('reason');
    turns.give('a');
    await stays;
    turns.give('a');
    await turns.take('a', never);
  });
});
