import { Turns } from './turns.js';

describe('Turns', () => {
  const never = new AbortController().signal;

  it('lets so many in at once, and the others in their order', async () => {
    const turns = new Turns(2);
    const entered: number[] = [];
    const takes = [1, 2, 3, 4].map((number) => turns.take(never).then(() => entered.push(number)));
    await Promise.all(takes.slice(0, 2));
    expect(entered).toEqual([1, 2]);
    turns.give();
    await takes[2];
    expect(entered).toEqual([1, 2, 3]);
    turns.give();
    await takes[3];
    expect(entered).toEqual([1, 2, 3, 4]);
  });

  it('passes over those who left', async () => {
    const turns = new Turns(1);
    const controller = new AbortController();
    await turns.take(never);
    const left = turns.take(controller.signal);
    const stays = turns.take(never);
    controller.abort('reason');
    await expect(left).rejects.toBe('reason');
    await expect(turns.take(controller.signal)).rejects.toBe('reason');
    turns.give();
    await stays;
    turns.give();
    await turns.take(never);
  });
});
