import { setImmediate as turn } from 'node:timers/promises';
import { afterAnswers } from './stored-records.js';

describe('afterAnswers', () => {
  it('comes after what is gathered for one turn and written in the next', async () => {
    const order: string[] = [];
    const done = new Promise<void>((resolve) => {
      afterAnswers(() => {
        order.push('work');
        resolve();
      });
    });
    // As an answer leaves: its caller goes on after the commit, and what it sends is gathered twice.
    await Promise.resolve();
    setImmediate(() => {
      order.push('gathered');
      setImmediate(() => order.push('written'));
    });
    await done;
    expect(order).toEqual(['gathered', 'written', 'work']);
  });

  it('does not wait longer', async () => {
    let begun = false;
    afterAnswers(() => (begun = true));
    for (let turns = 0; turns < 3; turns += 1) await turn();
    expect(begun).toBe(true);
  });
});
