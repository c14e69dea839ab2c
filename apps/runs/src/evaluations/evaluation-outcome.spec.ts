import { outcomeOf } from './evaluation-results.js';
import type { StoredResult } from './run-evaluation.entity.js';

const result = (passed: boolean | null, fields: Partial<StoredResult> = {}): StoredResult => ({
  key: 'a_key',
  title: 'A title',
  version: 1,
  passed,
  severity: 'medium',
  comment: '',
  ...fields,
});
const custom = { key: undefined, rubric_id: 'an id' };

describe('the outcome of an evaluation', () => {
  it('counts what could be judged', () => {
    const results = [result(true), result(null), result(false), result(true)];
    expect(outcomeOf('ready', results)).toEqual({
      status: 'ready',
      passed: 2,
      total: 3,
      has_issues: true,
      custom_issues: null,
      severity: 'medium',
      results,
    });
  });

  it.each([
    [[], null],
    [[result(true, { severity: 'critical' })], null],
    [[result(null, { severity: 'critical' }), result(false, { severity: 'low' })], 'low'],
    [
      [result(false, { severity: 'low' }), result(false, { severity: 'critical' }), result(false)],
      'critical',
    ],
  ])('is as bad as the worst that failed', (results, severity) => {
    expect(outcomeOf('ready', results).severity).toBe(severity);
  });

  it.each([
    [[result(false)], null],
    [[result(false), result(null, custom)], null],
    [[result(false), result(true, custom)], false],
    [[result(true), result(true, custom), result(false, custom)], true],
  ])('tells apart what custom rubrics found', (results, issues) => {
    expect(outcomeOf('ready', results).custom_issues).toBe(issues);
  });
});
