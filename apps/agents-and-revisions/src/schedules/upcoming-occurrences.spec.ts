import { upcomingOccurrences } from './upcoming-occurrences.js';

const daily = {
  frequency: 'daily',
  time: '09:00',
  timezone: 'UTC',
  day: 'monday',
  day_of_month: 1,
  cron: null,
  recurring: true,
  next_run_at: new Date('2026-01-01T09:00:00.000Z'),
} as const;

const upcoming = (part: Partial<Parameters<typeof upcomingOccurrences>[0]>) =>
  upcomingOccurrences({ ...daily, ...part }).map((moment) => moment.toISOString());

describe('the next occurrences of a schedule', () => {
  it('are five, from the one that comes next', () => {
    expect(upcoming({})).toEqual(['01', '02', '03', '04', '05'].map((day) => `2026-01-${day}T09:00:00.000Z`));
  });

  it('pass over no day, at the start of a month either', () => {
    const cron = { frequency: 'custom', cron: '0 0 1,16,31 * *' } as const;
    expect(upcoming({ ...cron, next_run_at: new Date('2026-02-16T00:00:00.000Z') }).slice(0, 3)).toEqual([
      '2026-02-16T00:00:00.000Z',
      '2026-03-01T00:00:00.000Z',
      '2026-03-16T00:00:00.000Z',
    ]);
  });

  it('are one of a schedule that fires once, and none of one that is off', () => {
    expect(upcoming({ recurring: false })).toEqual(['2026-01-01T09:00:00.000Z']);
    expect(upcoming({ next_run_at: null })).toEqual([]);
  });
});
