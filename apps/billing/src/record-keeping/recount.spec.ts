import { wholeMonths } from './recount.js';

describe('the months of a recount', () => {
  it.each([
    ['2026-01-01', '2026-02-01', ['2026-01-01']],
    ['2026-01-02', '2026-02-01', []],
    ['2026-01-01', '2026-01-31', []],
    ['2025-11-30', '2026-03-01', ['2025-12-01', '2026-01-01', '2026-02-01']],
  ])('from %s, before %s are %j', (from, before, months) => {
    expect(wholeMonths({ from, before }).map(({ first }) => first)).toEqual(months);
  });
});
