import fc from 'fast-check';
import { FairSlots } from './fair-slots.js';

function takeAll(slots: FairSlots, teamId: string): number {
  let taken = 0;
  while (slots.tryTake(teamId)) taken += 1;
  return taken;
}

describe('FairSlots', () => {
  it('gives a team alone three quarters, and the next three quarters of the rest', () => {
    const slots = new FairSlots(128);
    expect([takeAll(slots, 'a'), takeAll(slots, 'b'), takeAll(slots, 'c')]).toEqual([96, 24, 6]);
  });

  it('gives even the last place, and no more', () => {
    const slots = new FairSlots(4);
    expect([takeAll(slots, 'a'), takeAll(slots, 'b'), takeAll(slots, 'c')]).toEqual([3, 1, 0]);
  });

  it('gives a place again when it is given back', () => {
    const slots = new FairSlots(4);
    takeAll(slots, 'a');
    slots.release('a');
    expect(slots.tryTake('a')).toBe(true);
    expect(() => slots.release('b')).toThrow();
  });

  it('never gives more than there are, and a team that holds nothing finds a place while one is free', () => {
    const teams = ['a', 'b', 'c', 'd'];
    const move = fc.record({ team: fc.constantFrom(...teams), takes: fc.boolean() });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 40 }), fc.array(move, { maxLength: 200 }), (size, moves) => {
        const slots = new FairSlots(size);
        const held = new Map(teams.map((team) => [team, 0]));
        for (const { team, takes } of moves) {
          const before = held.get(team)!;
          if (takes) {
            const { free, sated } = slots;
            const taken = slots.tryTake(team);
            if (before > 0) expect(taken).toBe(!sated.includes(team));
            if (before === 0) expect(taken).toBe(free > 0);
            if (taken) held.set(team, before + 1);
          } else if (before > 0) {
            slots.release(team);
            held.set(team, before - 1);
          }
          const sum = [...held.values()].reduce((total, one) => total + one, 0);
          expect(slots.free).toBe(size - sum);
          expect(slots.free).toBeGreaterThanOrEqual(0);
        }
      }),
    );
  });
});
