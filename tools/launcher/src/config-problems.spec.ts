import { ConfigProblemLines, sumProblems } from './config-problems.js';

describe('what services tell of their settings', () => {
  it('is told apart from all else they write', () => {
    const lines = new ConfigProblemLines();
    const text = [
      '  indented, but no list',
      'runs cannot start, its configuration is wrong:',
      '  PORT: must be a number',
      '  RUN_LEASE_MS: is required',
      '{"level":50,"msg":"something else"}',
      '  after the list',
    ];
    expect(text.map((line) => lines.read(line))).toEqual([
      undefined,
      { problem: undefined },
      { problem: 'PORT: must be a number' },
      { problem: 'RUN_LEASE_MS: is required' },
      undefined,
      undefined,
    ]);
  });

  it('is summed: each problem once, with who told it unless all did', () => {
    const told = new Map([
      ['gateway', ['A: is bad', 'B: is bad', 'A: is bad']],
      ['runs', ['A: is bad', 'C: is bad']],
      ['billing', ['A: is bad', 'B: is bad']],
    ]);
    expect(sumProblems(told, ['gateway', 'runs', 'billing'])).toEqual([
      'A: is bad',
      'B: is bad (gateway, billing)',
      'C: is bad (runs)',
    ]);
  });
});
