import type { HumanRequest, Run } from '@aos/client';
import { whyOf } from './why';

const run = (part: Partial<Run>) =>
  ({ error: null, stop_reason: null, pending_reason: null, ...part }) as Run;
const request = (part: Partial<HumanRequest>) =>
  ({
    type: 'approval',
    title: 'Refund',
    assignee: null,
    required_approvals: 1,
    votes: [],
    ...part,
  }) as HumanRequest;

describe('why a run is where it is', () => {
  it('says what it waits for', () => {
    expect(whyOf(run({ status: 'pending', pending_reason: 'concurrency_limit' }), null).text).toContain(
      'plan',
    );
    expect(whyOf(run({ status: 'waiting' }), request({})).text).toBe(
      'It waits for the approval of somebody: Refund',
    );
    expect(
      whyOf(
        run({ status: 'waiting' }),
        request({
          assignee: 'finance',
          required_approvals: 2,
          votes: [{ user_id: 'u', approved: true, comment: null, voted_at: '' }],
        }),
      ).text,
    ).toBe('It waits for the approval of finance (1 of 2 given): Refund');
  });

  it('says why it failed and what to do', () => {
    const why = whyOf(
      run({
        status: 'failed',
        error: { code: 'connection_unavailable', message: 'CRM is broken', advice: 'Mend it.' },
      }),
      null,
    );
    expect(why).toEqual({
      tone: 'bad',
      text: 'It failed: CRM is broken',
      advice: 'Mend it.',
    });
  });

  it('says why it was stopped', () => {
    expect(whyOf(run({ status: 'stopped', stop_reason: 'agent_deleted' }), null).text).toContain(
      'its agent was deleted',
    );
  });
});
