import { AppError, type Question } from '@aos/contracts';
import { effectOf, type HumanAnswer } from './human-answer.js';

type Asked = Parameters<typeof effectOf>[0];

const now = new Date('2026-01-01T00:00:00.000Z');
const approval: Asked = {
  type: 'approval',
  questions: null,
  votes: [],
  required_approvals: 1,
  status: 'pending',
};
const colours: Question[] = [{ question: 'Which?' }, { question: 'Many?', multi_select: true }];
const question: Asked = { ...approval, type: 'question', questions: colours };

function refusal(request: Asked, answer: HumanAnswer, user = 'me'): { code: string; message: string } {
  try {
    effectOf(request, answer, user, now);
  } catch (error) {
    if (error instanceof AppError) return { code: error.code, message: error.message };
    throw error;
  }
  throw new Error('It was not refused');
}

describe('effectOf', () => {
  it('settles an approval by one vote, with its comment', () => {
    expect(effectOf(approval, { approved: false, comment: 'no' }, 'me', now)).toEqual({
      kind: 'settled',
      approved: false,
      response: { approved: false, comment: 'no' },
      votes: [{ user_id: 'me', approved: false, comment: 'no', voted_at: now.toISOString() }],
    });
  });

  it('waits for the quorum, and a denial ends the wait', () => {
    const three = { ...approval, required_approvals: 3 };
    const first = effectOf(three, { approved: true }, 'a', now);
    expect(first.kind).toBe('pending');
    const second = effectOf({ ...three, votes: first.votes }, { approved: true }, 'b', now);
    expect(second.kind).toBe('pending');
    expect(effectOf({ ...three, votes: second.votes }, { approved: true }, 'c', now)).toMatchObject({
      kind: 'settled',
      approved: true,
    });
    expect(effectOf({ ...three, votes: second.votes }, { approved: false }, 'c', now)).toMatchObject({
      kind: 'settled',
      approved: false,
    });
    expect(refusal({ ...three, votes: first.votes }, { approved: true }, 'a').code).toBe('invalid_state');
  });

  it('settles a question by an answer to each, and keeps no other', () => {
    const answers = { 'Which?': 'red', 'Many?': ['a', 'b'], 'Unasked?': 'x' };
    expect(effectOf(question, { answers }, 'me', now)).toMatchObject({
      kind: 'settled',
      response: { answers: { 'Which?': 'red', 'Many?': ['a', 'b'] } },
    });
  });

  it.each<[string, Asked, HumanAnswer, string]>([
    ['nothing', approval, {}, 'approved'],
    ['answers to an approval', approval, { answers: {} }, 'answers'],
    ['an approval of a question', question, { approved: true }, 'approved'],
    ['no answers', question, {}, 'answers'],
    ['one answer of two', question, { answers: { 'Which?': 'red' } }, 'answers.Many?'],
    ['an empty answer', question, { answers: { 'Which?': '', 'Many?': [] } }, 'answers.Which?'],
    [
      'a list where one is asked for',
      question,
      { answers: { 'Which?': ['a'], 'Many?': 'b' } },
      'answers.Which?',
    ],
    [
      'a name of the prototype',
      { ...question, questions: [{ question: 'toString' }] },
      { answers: {} },
      'toString',
    ],
  ])('refuses %s, and names the field', (_, request, answer, field) => {
    expect(refusal(request, answer)).toEqual({
      code: 'invalid_request',
      message: expect.stringContaining(field),
    });
  });

  it.each(['answered', 'cancelled', 'expired'] as const)('refuses one that is %s', (status) => {
    expect(refusal({ ...approval, status }, { approved: true }).code).toBe('invalid_state');
    expect(refusal({ ...approval, status }, {}).code).toBe('invalid_request');
  });
});
