import fc from 'fast-check';
import { QueueAdmission } from './queue-admission.js';

describe('QueueAdmission', () => {
  const queues = (team_id: string, count: number) =>
    Array.from({ length: count }, (_, index) => ({ id: `${team_id}${index}`, team_id }));
  const entering = (slots: QueueAdmission, team: string, count: number) =>
    queues(team, count).filter((queue) => slots.enter(queue)).length;

  it('gives half to one that floods, and a place to a team that has none', () => {
    const slots = new QueueAdmission(100);
    expect(entering(slots, 'flood', 500)).toBe(50);
    expect(entering(slots, 'calm', 10)).toBe(10);
    expect(entering(slots, 'third', 500)).toBe(20);
    expect(entering(slots, 'fourth', 1)).toBe(1);
  });

  it('gives a place that is left to the team with the fewest', () => {
    const slots = new QueueAdmission(6);
    expect(entering(slots, 'a', 5)).toBe(3);
    expect(entering(slots, 'b', 3)).toBe(2);
    expect(entering(slots, 'c', 1)).toBe(1);
    expect(entering(slots, 'd', 1)).toBe(0);
    expect(slots.leave('a')).toEqual([{ id: 'd0', team_id: 'd' }]);
    expect(slots.leave('d')).toEqual([]);
    expect(slots.leave('c')).toEqual([]);
  });

  it('names each queue that waits once, in the order in which they came', () => {
    const slots = new QueueAdmission(2);
    const [first, second, third] = queues('a', 3);
    expect([first!, second!, third!, second!].map((queue) => slots.enter(queue))).toEqual([
      true,
      false,
      false,
      false,
    ]);
    expect(slots.leave('a')).toEqual([second]);
    expect(slots.leave('a')).toEqual([third]);
    expect(slots.leave('a')).toEqual([]);
  });

  it('never takes more than there are, forgets none, and keeps one for a newcomer as long as teams are few', () => {
    const step = fc.record({ team: fc.integer({ min: 0, max: 3 }), leave: fc.boolean() });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 300 }), (steps) => {
        const slots = new QueueAdmission(12);
        const inside: string[] = [];
        const begun = new Set<string>();
        const admit = ({ id, team_id }: { id: string; team_id: string }) => {
          expect(begun.has(id)).toBe(false);
          begun.add(id);
          inside.push(team_id);
        };
        let made = 0;
        for (const { team, leave } of steps) {
          if (leave && inside.length > 0) {
            for (const queue of slots.leave(inside.splice(team % inside.length, 1)[0]!)) admit(queue);
          } else {
            const queue = { id: String(made), team_id: String(team) };
            made += 1;
            if (slots.enter(queue)) admit(queue);
          }
          expect(inside.length).toBeLessThan(12);
        }
        while (inside.length > 0) for (const queue of slots.leave(inside.pop()!)) admit(queue);
        expect(begun.size).toBe(made);
      }),
    );
  });
});
