import { nextRefresh } from './refresh-times.js';

const at = (text: string) => new Date(`${text}Z`);

describe('when an artifact is refreshed next', () => {
  it.each([
    ['every_15_minutes', '2026-03-01T10:00', '2026-03-01T10:01', '2026-03-01T10:15'],
    ['every_30_minutes', '2026-03-01T10:00', '2026-03-01T10:31', '2026-03-01T11:00'],
    ['every_6_hours', '2026-03-01T10:00', '2026-03-01T10:05', '2026-03-01T16:00'],
    ['hourly', '2026-03-01T10:00', '2026-03-01T10:00', '2026-03-01T11:00'],
    ['hourly', '2026-03-01T10:00', '2026-03-01T10:59', '2026-03-01T11:00'],
    ['daily', '2026-03-01T10:00', '2026-03-01T10:05', '2026-03-02T10:00'],
    ['weekly', '2026-03-01T10:00', '2026-03-01T10:05', '2026-03-08T10:00'],
    ['monthly', '2026-03-01T10:00', '2026-03-01T10:05', '2026-04-01T10:00'],
  ] as const)('%s, due at %s and now %s: at %s', (frequency, due, now, next) => {
    expect(nextRefresh(frequency, at(due), at(now))).toEqual(at(next));
  });

  it('what was missed comes once, and the next when it would have come', () => {
    expect(nextRefresh('hourly', at('2026-03-01T10:00'), at('2026-03-05T07:30'))).toEqual(
      at('2026-03-05T08:00'),
    );
    expect(nextRefresh('monthly', at('2026-01-10T10:00'), at('2026-05-11T00:00'))).toEqual(
      at('2026-06-10T10:00'),
    );
  });

  it('one that is exactly due now is next after a whole period', () => {
    expect(nextRefresh('daily', at('2026-03-01T10:00'), at('2026-03-02T10:00'))).toEqual(
      at('2026-03-03T10:00'),
    );
  });

  it('a day that a month lacks is its last', () => {
    expect(nextRefresh('monthly', at('2026-01-31T10:00'), at('2026-01-31T10:00'))).toEqual(
      at('2026-02-28T10:00'),
    );
  });
});
