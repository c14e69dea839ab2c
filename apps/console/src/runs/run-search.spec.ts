import { runSearch } from './run-search';

describe('the address of the list of runs', () => {
  it('says what is listed', () => {
    expect(
      runSearch({ status: 'failed', source: 'case', search: 'lamp', issues: 'true', agent: 'a' }),
    ).toEqual({
      status: 'failed',
      source: 'case',
      search: 'lamp',
      issues: true,
      agent: 'a',
    });
  });

  it('is believed only where it makes sense', () => {
    expect(runSearch({ status: 'nonsense', source: 7, search: '', issues: 'yes', other: 'x' })).toEqual({});
    expect(runSearch({ search: 'x'.repeat(500) }).search).toHaveLength(200);
  });
});
