import { answered, answerFaults } from './answers.js';

const questions = [{ question: 'When?' }, { question: 'What?', multi_select: true }];

describe('answers', () => {
  it('come in the order of the questions, choices as one text', () => {
    expect(answerFaults(questions, { 'What?': ['mails', ' calls '], 'When?': ' daily ' })).toEqual([]);
    expect(answered(questions, { 'What?': ['mails', ' calls '], 'When?': ' daily ' })).toEqual([
      { question: 'When?', answer: 'daily' },
      { question: 'What?', answer: 'mails, calls' },
    ]);
  });

  it('name every missing and every unknown question', () => {
    expect(answerFaults(questions, { 'What?': [], 'Who?': 'me', toString: 'x' })).toEqual([
      'answers.When?: is missing',
      'answers.What?: is missing',
      'answers.Who?: is not asked',
      'answers.toString: is not asked',
    ]);
    expect(answerFaults([{ question: 'toString' }], {})).toEqual(['answers.toString: is missing']);
    expect(answerFaults(questions, { 'When?': '  ', 'What?': ['', 'x'] })).toEqual([
      'answers.When?: is missing',
    ]);
  });

  it('name no more than a message can hold', () => {
    const many = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`${index} `.repeat(500), 'x']));
    const faults = answerFaults([], many);
    expect(faults).toHaveLength(21);
    expect(faults.at(-1)).toBe('and 30 more');
    expect(faults.join().length).toBeLessThan(6000);
  });
});
