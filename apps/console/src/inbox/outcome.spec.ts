import type { HumanRequest } from '@aos/client';
import { answersIn, hasVoted, outcomeOf } from './outcome';

const now = Date.parse('2026-01-02T00:00:00.000Z');
const request = (part: Partial<HumanRequest>) =>
  ({ type: 'approval', status: 'pending', response: null, due_at: null, votes: [], ...part }) as HumanRequest;

describe('what became of a request', () => {
  it.each<[Partial<HumanRequest>, string]>([
    [{}, 'pending'],
    [{ due_at: '2026-01-03T00:00:00.000Z' }, 'pending'],
    [{ due_at: '2026-01-01T00:00:00.000Z' }, 'overdue'],
    [{ status: 'answered', response: { approved: true } }, 'approved'],
    [{ status: 'answered', response: { approved: false, comment: 'no' } }, 'denied'],
    [{ status: 'answered', response: { approved: true }, due_at: '2026-01-01T00:00:00.000Z' }, 'approved'],
    [{ type: 'question', status: 'answered', response: { answers: { Color: 'Red' } } }, 'answered'],
    [{ status: 'expired', response: { approved: false } }, 'expired'],
    [{ status: 'cancelled' }, 'cancelled'],
  ])('%j is %s', (part, outcome) => {
    expect(outcomeOf(request(part), now)).toBe(outcome);
  });

  it('is told with the answers to its questions', () => {
    const response = { answers: { 'Which color?': 'Red', Rooms: ['Hall', 'Bath'] } };
    expect(answersIn(request({ response }))).toEqual([
      ['Which color?', 'Red'],
      ['Rooms', 'Hall, Bath'],
    ]);
    expect(answersIn(request({ response: { approved: true } }))).toEqual([]);
    expect(answersIn(request({}))).toEqual([]);
  });

  it('is voted on once by a credential', () => {
    const votes = [{ user_id: 'me', approved: true, comment: null, voted_at: '' }];
    expect(hasVoted(request({ votes }), 'me')).toBe(true);
    expect(hasVoted(request({ votes }), 'other')).toBe(false);
  });
});
