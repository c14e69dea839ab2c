import type { HumanRequest, Run, RunMessage } from '@aos/client';
import { countCalls } from './failed-calls';
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

  it.each<[number, number, string, string]>([
    [0, 0, 'good', 'Completed.'],
    [4, 0, 'good', 'Completed.'],
    [4, 1, 'warn', 'Completed, but 1 of 4 tool calls failed.'],
    [4, 4, 'warn', 'Completed, but all 4 tool calls failed.'],
    [1, 1, 'warn', 'Completed, but its tool call failed.'],
  ])(
    'of %i calls of tools, of which %i failed, does not only say that it has ended',
    (made, failed, tone, text) => {
      expect(whyOf(run({ status: 'completed' }), null, { made, failed })).toMatchObject({ tone, text });
    },
  );

  it('counts the calls of tools by what they gave', () => {
    const messages = [
      { tool_call: { id: 'a' } },
      { tool_result: { tool_call_id: 'a', error: 'no such host' } },
      { tool_call: { id: 'b' } },
      { tool_result: { tool_call_id: 'b', result: { error: 'of its own' } } },
      { text_content: 'done' },
      { tool_call: { id: 'c' } },
    ] as RunMessage[];
    expect(countCalls(messages)).toEqual({ made: 3, failed: 1 });
  });

  it('says why it was stopped', () => {
    expect(whyOf(run({ status: 'stopped', stop_reason: 'agent_deleted' }), null).text).toContain(
      'its agent was deleted',
    );
  });
});
