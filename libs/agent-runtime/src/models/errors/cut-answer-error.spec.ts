import { AnswerTruncatedError } from './cut-answer-error.js';

const messageOf = (outputTokens: number, asked?: number) =>
  new AnswerTruncatedError(
    'a/model',
    { text: '', thinking: '', usage: { inputTokens: 1, outputTokens } },
    asked,
  ).message;

describe('an answer that was cut off', () => {
  it.each([
    [messageOf(5), 'The answer was cut off: it reached what a/model writes in one answer (5 tokens).'],
    // The endpoint reported no usage.
    [messageOf(0), 'The answer was cut off: it reached what a/model writes in one answer.'],
    [messageOf(0, 9), 'the 9 tokens that were left of the budget of the run'],
  ])('names the limit that was hit: %s', (message, expected) => expect(message).toContain(expected));
});
