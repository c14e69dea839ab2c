import { resumeAt } from './resume-at.js';

const log = [
  { epoch: 'a', after: 0 },
  { epoch: 'b', after: 10 },
  { epoch: 'c', after: 20 },
];

describe('where a consumer goes on in a log of another epoch', () => {
  it.each([
    { when: 'the log has only gone on', position: 10, known: ['a'], resume: 10 },
    { when: 'the log has gone on by several epochs', position: 7, known: ['a'], resume: 7 },
    { when: 'the log has gone back', position: 14, known: ['a', 'lost'], resume: 10 },
    {
      when: 'the log has gone back to an epoch in the middle',
      position: 99,
      known: ['a', 'b', 'lost'],
      resume: 20,
    },
    {
      when: 'the log has gone back further than the consumer was',
      position: 4,
      known: ['a', 'lost'],
      resume: 4,
    },
    { when: 'the log has gone back twice', position: 30, known: ['a', 'lost'], resume: 10 },
    { when: 'the consumer has gone back', position: 3, known: ['a', 'b'], resume: 3 },
    { when: 'the newest epoch is known', position: 25, known: ['a', 'b', 'c', 'lost'], resume: 25 },
    { when: 'the log is a new one', position: 25, known: ['lost'], resume: 0 },
    { when: 'the consumer knows no epochs at all', position: 25, known: [], resume: 25 },
  ])('when $when', ({ position, known, resume }) => {
    expect(resumeAt(position, new Set(known), log)).toBe(resume);
  });

  it('when the epochs in common are forgotten', () => {
    const newest = log.slice(1);
    expect(resumeAt(8, new Set(['a']), newest)).toBe(8);
    expect(resumeAt(15, new Set(['a', 'lost']), newest)).toBe(10);
  });
});
