import { nextFirings } from './firings';

const daily = {
  frequency: 'daily',
  time: '09:00',
  timezone: 'UTC',
  day: 'monday',
  day_of_month: 1,
  cron: null,
  recurring: true,
} as const;

describe('the next firings of a schedule', () => {
  it('are five, from the one that the service named', () => {
    expect(nextFirings(daily, '2026-01-01T09:00:00.000Z')).toEqual(
      ['01', '02', '03', '04', '05'].map((day) => `2026-01-${day}T09:00:00.000Z`),
    );
  });

  it('keep to the clocks of their zone when these are changed', () => {
    const berlin = { ...daily, timezone: 'Europe/Berlin' };
    expect(nextFirings(berlin, '2026-03-28T08:00:00.000Z', 2)).toEqual([
      '2026-03-28T08:00:00.000Z',
      '2026-03-29T07:00:00.000Z',
    ]);
  });

  it('are on the last day of a month that lacks the day', () => {
    const monthly = { ...daily, frequency: 'monthly', day_of_month: 30 } as const;
    expect(nextFirings(monthly, '2026-01-30T09:00:00.000Z', 3)).toEqual([
      '2026-01-30T09:00:00.000Z',
      '2026-02-28T09:00:00.000Z',
      '2026-03-30T09:00:00.000Z',
    ]);
  });

  it('follow a cron expression', () => {
    const custom = { ...daily, frequency: 'custom', cron: '0 8-9 * * 1' } as const;
    expect(nextFirings(custom, '2026-01-05T08:00:00.000Z', 3)).toEqual([
      '2026-01-05T08:00:00.000Z',
      '2026-01-05T09:00:00.000Z',
      '2026-01-12T08:00:00.000Z',
    ]);
  });

  it('are one of a schedule that fires once, and none of one that is off', () => {
    expect(nextFirings({ ...daily, recurring: false }, '2026-01-01T09:00:00.000Z')).toHaveLength(1);
    expect(nextFirings(daily, null)).toEqual([]);
  });
});
