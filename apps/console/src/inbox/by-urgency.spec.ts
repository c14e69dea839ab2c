import type { HumanRequest } from '@aos/client';
import { byUrgency } from './by-urgency';

describe('the order of the inbox', () => {
  it('is by due time, then by age', () => {
    const request = (id: string, created_at: string, due_at: string | null) =>
      ({ id, created_at, due_at }) as HumanRequest;
    const order = byUrgency([
      request('young', '2026-01-03', null),
      request('later', '2026-01-02', '2026-03-01'),
      request('old', '2026-01-01', null),
      request('soon', '2026-01-04', '2026-02-01'),
    ]);
    expect(order.map(({ id }) => id)).toEqual(['soon', 'later', 'old', 'young']);
  });
});
