import { QueueAdmission } from './queue-admission.js';

describe('QueueAdmission', () => {
  const queuesOf = (team_id: string, count: number) =>
    Array.from({ length: count }, (_, index) => ({ id: `${team_id}${index}`, team_id }));
  const admittedOf = (admission: QueueAdmission, team: string, count: number) =>
    queuesOf(team, count).filter((queue) => admission.admit(queue)).length;

  it('admits half of its capacity for a team that floods, and keeps some for a team that has none', () => {
    const admission = new QueueAdmission(100);
    expect(admittedOf(admission, 'flood', 500)).toBe(50);
    expect(admittedOf(admission, 'calm', 10)).toBe(10);
    expect(admission.counts()).toEqual({ used: 60, waiting: 450 });
  });

  it('returns each waiting queue once, in order', () => {
    const admission = new QueueAdmission(2);
    const [first, second, third] = queuesOf('a', 3);
    const admitted = [first!, second!, third!, second!].map((queue) => admission.admit(queue));
    expect(admitted).toEqual([true, false, false, false]);
    expect(admission.release('a')).toEqual([second]);
    expect(admission.release('a')).toEqual([third]);
    expect(admission.release('a')).toEqual([]);
    expect(admission.counts()).toEqual({ used: 0, waiting: 0 });
  });

  it('keeps 10,000 waiting queues of a team, beside those of other teams', () => {
    const admission = new QueueAdmission(1);
    admittedOf(admission, 'flood', 10_002);
    expect(admission.counts()).toEqual({ used: 1, waiting: 10_000 });
    admission.admit({ id: 'other', team_id: 'calm' });
    expect(admission.counts()).toEqual({ used: 1, waiting: 10_001 });
  });
});
