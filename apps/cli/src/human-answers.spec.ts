import type { HumanRequest } from '@aos/client';
import { answerOf } from './human-answers.js';
import type { Prompts } from './prompts.js';

const request = (fields: Partial<HumanRequest>): HumanRequest => ({
  id: 'r',
  request_id: 'r',
  run_id: 'run',
  type: 'approval',
  title: 'Refund 20 €?',
  description: null,
  status: 'pending',
  response: null,
  votes: [],
  assignee: null,
  due_at: null,
  on_timeout: 'deny',
  required_approvals: 1,
  responded_at: null,
  created_at: '2026-11-15T04:30:42.123Z',
  ...fields,
});

const questions = request({
  type: 'question',
  title: 'Two questions',
  questions: [
    { question: 'Which size?', options: [{ label: 'small' }, { label: 'large' }] },
    { question: 'Which toppings?', options: [{ label: 'olives' }, { label: 'onions' }], multi_select: true },
  ],
});

/** A person who says these things in turn. */
function saying(...lines: string[]): Prompts & { readonly asked: string[] } {
  const asked: string[] = [];
  const ask = async (question: string) => {
    asked.push(question);
    return lines.shift()!;
  };
  return { asked, ask, askSecret: ask };
}

describe('answerOf', () => {
  it('takes what the options say', async () => {
    expect(await answerOf(request({}), { approve: true, comment: 'fine' }, undefined)).toEqual({
      approved: true,
      comment: 'fine',
    });
    expect(await answerOf(request({}), { reject: true }, undefined)).toMatchObject({ approved: false });
    expect(await answerOf(questions, { answer: ['2', 'olives,2'] }, undefined)).toEqual({
      answers: { 'Which size?': 'large', 'Which toppings?': ['olives', 'onions'] },
    });
  });

  it('asks the person until it is told yes or no', async () => {
    const person = saying('maybe', 'NO');
    expect(await answerOf(request({}), {}, person)).toMatchObject({ approved: false });
    expect(person.asked).toEqual([expect.stringContaining('Refund 20 €?'), 'Approve? (yes/no) ']);
  });

  it('asks each question with its options', async () => {
    const person = saying('medium', '1');
    expect(await answerOf(questions, {}, person)).toEqual({
      answers: { 'Which size?': 'medium', 'Which toppings?': ['olives'] },
    });
    expect(person.asked[0]).toBe('Two questions\nWhich size?\n  1) small\n  2) large\n> ');
  });

  it.each([
    [request({}), {}, 'Say --approve or --reject.'],
    [request({}), { approve: true, reject: true }, 'not both'],
    [questions, {}, 'Give an --answer'],
    [questions, { answer: ['1'] }, 'There are 2 questions and 1 answers.'],
  ])('says what is missing where nobody can be asked', async (asked, given, message) => {
    await expect(answerOf(asked, given, undefined)).rejects.toThrow(message);
  });
});
