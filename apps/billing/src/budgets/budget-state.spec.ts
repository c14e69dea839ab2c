import { areTokensUsedUp, stateOf, useOf } from './budget-state.js';
import { noCounts, type StoredCounts } from '../usage-records/counters.js';

describe('the state of a budget', () => {
  it.each([
    [{ max_tokens: null, max_runs: null }, { tokens: 1e12, runs: 1e9 }, 'ok'],
    [{ max_tokens: 100, max_runs: null }, { tokens: 79, runs: 1e9 }, 'ok'],
    [{ max_tokens: 100, max_runs: null }, { tokens: 80, runs: 0 }, 'warning'],
    [{ max_tokens: 100, max_runs: null }, { tokens: 99, runs: 0 }, 'warning'],
    [{ max_tokens: 100, max_runs: null }, { tokens: 100, runs: 0 }, 'reached'],
    [{ max_tokens: 100, max_runs: 10 }, { tokens: 0, runs: 8 }, 'warning'],
    [{ max_tokens: 100, max_runs: 10 }, { tokens: 85, runs: 10 }, 'reached'],
    [{ max_tokens: null, max_runs: 1 }, { tokens: 0, runs: 0 }, 'ok'],
  ] as const)('of %j with %j used is %s', (limits, used, state) => {
    expect(stateOf(limits, used)).toBe(state);
  });

  it('counts tokens that are read and written, and a run that is reopened as a start', () => {
    const day = { ...noCounts, input_tokens: 5, output_tokens: 2, runs_started: 3, runs_reopened: 1 };
    const stored = Object.fromEntries(Object.entries(day).map(([name, count]) => [name, String(count)]));
    expect(useOf([stored, stored] as StoredCounts[])).toEqual({ tokens: 14, runs: 8 });
  });

  it('tells tokens that are used up from runs that are', () => {
    expect(areTokensUsedUp({ max_tokens: 10, max_runs: 1 }, { tokens: 9, runs: 1 })).toBe(false);
    expect(areTokensUsedUp({ max_tokens: 10, max_runs: 1 }, { tokens: 10, runs: 0 })).toBe(true);
    expect(areTokensUsedUp({ max_tokens: null, max_runs: 1 }, { tokens: 10, runs: 0 })).toBe(false);
  });
});
