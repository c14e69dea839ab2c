import { chosenDays } from './chosen-days.js';

describe('the days that an operator names', () => {
  it.each([
    [['2026-02-28'], { from: '2026-02-28', before: '2026-03-01' }],
    [['2026-07-01', '2026-07-31'], { from: '2026-07-01', before: '2026-08-01' }],
    [['2026-07-01', '2026-07-01'], { from: '2026-07-01', before: '2026-07-02' }],
  ])('%j are %j', (named, days) => {
    expect(chosenDays(named)).toEqual(days);
  });

  it.each([
    [[]],
    [['yesterday']],
    [['2026-02-30']],
    [['2026-07-02', '2026-07-01']],
    [['2026-07-01', '2026-07-02', '2026-07-03']],
    [['2026-07-01T00:00:00Z']],
  ])('%j are none', (named) => {
    expect(chosenDays(named)).toBeUndefined();
  });
});
