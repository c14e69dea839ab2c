import { monthOf, periodOf } from './billing-period.js';

describe('a billing period', () => {
  it.each([
    ['2026-01-01T00:00:00.000Z', '2026-01-01', '2026-02-01'],
    ['2026-01-31T23:59:59.999Z', '2026-01-01', '2026-02-01'],
    ['2026-12-31T23:59:59.999Z', '2026-12-01', '2027-01-01'],
    ['2028-02-29T12:00:00.000Z', '2028-02-01', '2028-03-01'],
  ])('of %s is the month from %s to %s', (at, first, next) => {
    expect(monthOf(new Date(at))).toEqual({ first, next });
  });

  it('goes from the first moment of its month to that of the next', () => {
    expect(periodOf({ first: '2026-12-01', next: '2027-01-01' })).toEqual({
      start: '2026-12-01T00:00:00.000Z',
      end: '2027-01-01T00:00:00.000Z',
    });
  });
});
