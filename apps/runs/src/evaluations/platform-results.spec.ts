import { platformRubrics } from '@aos/contracts';
import { cleanFacts, platformResults, type RunFacts } from './evaluation-results.js';

describe('the results of the platform’s rubrics', () => {
  it('has one for each rubric, with its text as it is now', () => {
    expect(platformResults(cleanFacts)).toEqual(
      platformRubrics.map(({ key, title, severity }) => ({
        key,
        title,
        severity,
        version: 1,
        passed: true,
        comment: expect.stringMatching(/\.$/),
      })),
    );
  });

  it.each<[string, Partial<RunFacts>, string]>([
    ['no_tool_errors', { failed_tools: ['a', 'b', 'a'] }, 'Ended with an error: a (2 times), b.'],
    ['no_tool_errors', { failed_tools: [...'abcdefg'] }, 'Ended with an error: a, b, c, d, e, 2 more.'],
    ['no_retries_exhausted', { given_up: ['model turn'] }, 'Given up after the last retry: model turn.'],
    ['ended_with_answer', { has_result: false }, 'The run has no result.'],
    ['ended_with_answer', { status: 'failed' }, 'The run failed.'],
    [
      'no_repeated_tool_calls',
      { repeated_tool: 'search' },
      'search was called again with the same arguments right after.',
    ],
  ])('%s fails alone on %j', (key, facts, comment) => {
    const failed = platformResults({ ...cleanFacts, ...facts }).filter(({ passed }) => passed === false);
    expect(failed).toMatchObject([{ key, comment }]);
  });
});
