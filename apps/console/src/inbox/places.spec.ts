import type { HumanRequest } from '@aos/client';
import { isAbout, withAnswered, withPending } from './places';

const request = (id: string, part: Partial<HumanRequest> = {}) =>
  ({
    request_id: id,
    title: `Request ${id}`,
    status: 'pending',
    assignee: null,
    votes: [],
    ...part,
  }) as HumanRequest;

describe('the places of requests in the inbox', () => {
  const [one, two, three] = [request('1'), request('2'), request('3')];

  it('stay when a request is settled, here or elsewhere', () => {
    const shown = withPending([], [one, two]);
    expect(withPending(shown, [two])).toEqual([one, two]);
    const answered = request('1', { status: 'answered' });
    expect(withAnswered(shown, answered)).toEqual([answered, two]);
    // Which is not taken back by a list that was read before.
    expect(withPending(withAnswered(shown, answered), [one, two, three])).toEqual([answered, two, three]);
    const voted = request('2', { votes: [{ user_id: 'me', approved: true, comment: null, voted_at: '' }] });
    expect(withPending(withAnswered(shown, voted), [one, two])).toEqual([one, voted]);
  });

  it('are taken by what is new, and by what is known better', () => {
    const voted = request('1', { required_approvals: 2 });
    expect(withPending([one], [voted, three])).toEqual([voted, three]);
  });

  it('are the same list while nothing is new, or the page would draw itself for ever', () => {
    const shown = withPending([], [one, two]);
    expect(withPending(shown, [one, two])).toBe(shown);
    expect(withPending(shown, [])).toBe(shown);
  });
});

describe('what a request is about', () => {
  const run = { agent_name: 'Order desk', title: 'Order 4711', case_title: 'Brassworks' };
  const approval = request('1', { title: 'Legal form', assignee: 'finance' });

  it.each(['', 'fin', 'FINANCE', ' legal ', 'order desk', '4711', 'brass'])('is found by %j', (sought) => {
    expect(isAbout(approval, run, sought)).toBe(true);
  });

  it('is not found by what its card does not say', () => {
    expect(isAbout(approval, run, 'velo')).toBe(false);
    expect(isAbout(approval, undefined, '4711')).toBe(false);
  });
});
