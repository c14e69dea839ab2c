import fc from 'fast-check';
import { followingOccurrence, isSameRecurrence, nextOccurrence, type Recurrence } from './next-occurrence.js';

const base: Recurrence = {
  frequency: 'daily',
  time: '09:00',
  timezone: 'UTC',
  day: 'monday',
  day_of_month: 1,
  cron: null,
};

function next(recurrence: Partial<Recurrence>, after: string): string | undefined {
  return nextOccurrence({ ...base, ...recurrence }, new Date(after))?.toISOString();
}

describe('nextOccurrence', () => {
  it.each<[Partial<Recurrence>, string, string]>([
    [{ frequency: 'every_5_minutes' }, '2026-01-01T00:00:00Z', '2026-01-01T00:05:00.000Z'],
    [{ frequency: 'every_15_minutes' }, '2026-01-01T00:14:59.999Z', '2026-01-01T00:15:00.000Z'],
    [{ frequency: 'hourly', time: '00:20' }, '2026-01-01T05:20:00Z', '2026-01-01T06:20:00.000Z'],
    [
      { frequency: 'hourly', time: '00:20', timezone: 'Asia/Kolkata' },
      '2026-01-01T05:20:00Z',
      '2026-01-01T05:50:00.000Z',
    ],
    [{}, '2026-01-01T08:59:59Z', '2026-01-01T09:00:00.000Z'],
    [{}, '2026-01-01T09:00:00Z', '2026-01-02T09:00:00.000Z'],
    [{ timezone: 'America/New_York' }, '2026-07-01T12:00:00Z', '2026-07-01T13:00:00.000Z'],
    [{ frequency: 'workday' }, '2026-01-02T10:00:00Z', '2026-01-05T09:00:00.000Z'],
    [{ frequency: 'weekly', day: 'wednesday' }, '2026-01-01T00:00:00Z', '2026-01-07T09:00:00.000Z'],
    [{ frequency: 'monthly', day_of_month: 31 }, '2026-02-01T00:00:00Z', '2026-02-28T09:00:00.000Z'],
    [{ frequency: 'monthly', day_of_month: 31 }, '2028-02-01T00:00:00Z', '2028-02-29T09:00:00.000Z'],
    [{ frequency: 'monthly', day_of_month: 15 }, '2026-01-15T09:00:00Z', '2026-02-15T09:00:00.000Z'],
    [{ frequency: 'custom', cron: '30 6 * * mon-fri' }, '2026-01-02T07:00:00Z', '2026-01-05T06:30:00.000Z'],
    [{ frequency: 'custom', cron: '0 0 29 2 *' }, '2026-03-01T00:00:00Z', '2028-02-29T00:00:00.000Z'],
    [{ frequency: 'custom', cron: '0 12 13 * 5' }, '2026-03-01T00:00:00Z', '2026-03-06T12:00:00.000Z'],
  ])('%j after %s', (recurrence, after, expected) => {
    expect(next(recurrence, after)).toBe(expected);
  });

  describe('where clocks change', () => {
    it('fires at the jump when the time does not exist', () => {
      // Berlin, 29 March 2026: 02:00 becomes 03:00 at 01:00 UTC.
      const skipped = { time: '02:30', timezone: 'Europe/Berlin' };
      expect(next(skipped, '2026-03-28T12:00:00Z')).toBe('2026-03-29T01:00:00.000Z');
      expect(next(skipped, '2026-03-29T01:00:00Z')).toBe('2026-03-30T00:30:00.000Z');
    });

    it('fires once when the time comes twice', () => {
      // Berlin, 25 October 2026: 03:00 becomes 02:00 at 01:00 UTC.
      const doubled = { time: '02:30', timezone: 'Europe/Berlin' };
      expect(next(doubled, '2026-10-24T12:00:00Z')).toBe('2026-10-25T00:30:00.000Z');
      expect(next(doubled, '2026-10-25T00:30:00Z')).toBe('2026-10-26T01:30:00.000Z');
    });

    it('keeps to real time around the clock', () => {
      const hourly = { frequency: 'hourly' as const, time: '00:00', timezone: 'Europe/Berlin' };
      expect(next(hourly, '2026-10-25T00:00:00Z')).toBe('2026-10-25T01:00:00.000Z');
      expect(next(hourly, '2026-03-29T00:00:00Z')).toBe('2026-03-29T01:00:00.000Z');
    });

    it('copes with a change of half an hour', () => {
      // Lord Howe, 4 October 2026: 02:00 becomes 02:30.
      expect(next({ time: '02:15', timezone: 'Australia/Lord_Howe' }, '2026-10-03T00:00:00Z')).toBe(
        '2026-10-03T15:30:00.000Z',
      );
    });
  });

  const zones = [
    'UTC',
    'Europe/Berlin',
    'America/New_York',
    'America/Sao_Paulo',
    'Asia/Kolkata',
    'Asia/Kathmandu',
    'Australia/Lord_Howe',
    'Pacific/Apia',
    'Pacific/Chatham',
    'Africa/Casablanca',
  ];
  const recurrences = fc.record<Recurrence>({
    frequency: fc.constantFrom(
      'every_5_minutes',
      'every_15_minutes',
      'hourly',
      'daily',
      'workday',
      'weekly',
      'monthly',
    ),
    time: fc.tuple(fc.nat(23), fc.nat(59)).map(([hour, minute]) => `${two(hour)}:${two(minute)}`),
    timezone: fc.constantFrom(...zones),
    day: fc.constantFrom('monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'),
    day_of_month: fc.integer({ min: 1, max: 31 }),
    cron: fc.constant(null),
  });
  const year = fc.date({
    min: new Date('2026-01-01T00:00:00Z'),
    max: new Date('2027-01-01T00:00:00Z'),
    noInvalidDate: true,
  });

  it('comes after the given instant, on a whole minute, and again after itself', () => {
    fc.assert(
      fc.property(recurrences, year, (recurrence, after) => {
        const first = nextOccurrence(recurrence, after)!;
        const second = nextOccurrence(recurrence, first)!;
        expect(first.getTime()).toBeGreaterThan(after.getTime());
        expect(second.getTime()).toBeGreaterThan(first.getTime());
        expect(first.getTime() % 60_000).toBe(0);
        // Nothing lies between: asked from just before the second, it is the second.
        expect(nextOccurrence(recurrence, new Date(second.getTime() - 1))).toEqual(second);
      }),
      { numRuns: 300 },
    );
  });

  it('agrees with a walk through every minute where clocks do not change', () => {
    const offsets = { UTC: 0, 'Asia/Kolkata': 330, 'Asia/Kathmandu': 345, 'America/Phoenix': -420 };
    const some = (min: number, max: number) =>
      fc.oneof(
        fc.constant(undefined),
        fc.uniqueArray(fc.integer({ min, max }), { minLength: 1, maxLength: 4 }),
        fc
          .tuple(fc.integer({ min, max }), fc.integer({ min, max }))
          .map(([a, b]) => range(Math.min(a, b), Math.max(a, b))),
      );
    const fields = fc.tuple(some(0, 59), some(0, 23), some(1, 31), fc.constant(undefined), some(0, 6));
    const zone = fc.constantFrom(...(Object.keys(offsets) as (keyof typeof offsets)[]));
    fc.assert(
      fc.property(fields, zone, year, (allowed, timezone, after) => {
        const cron = allowed.map((values) => values?.join(',') ?? '*').join(' ');
        const found = next({ frequency: 'custom', cron, timezone }, after.toISOString());
        expect(found).toBe(walk(allowed, offsets[timezone], after));
      }),
      { numRuns: 150 },
    );
  });

  it.each([
    ['0 0 1 * 1', '2026-02-23T00:00:00.000Z', '2026-03-01T00:00:00.000Z'],
    ['0 0 31 2 1', '2026-02-23T00:00:00.000Z', '2027-02-01T00:00:00.000Z'],
    ['0 0 1,16,31 * *', '2026-02-18T00:00:00.000Z', '2026-03-01T00:00:00.000Z'],
  ])('passes over no day of %j', (cron, after, expected) => {
    expect(next({ frequency: 'custom', cron, timezone: 'UTC' }, after)).toBe(expected);
  });

  it('fires at every minute of the clock once, also where clocks change', () => {
    const everyMinute = { frequency: 'custom' as const, cron: '0-59 0-23 * * *', timezone: 'Europe/Berlin' };
    const countBetween = (from: string, to: string) => {
      let count = 0;
      for (let at = from; ; count += 1) {
        at = next(everyMinute, at)!;
        if (at > to) return count;
      }
    };
    // 01:00 to 04:00: the minutes of 02:xx fire together at the jump, or only the first time.
    expect(countBetween('2026-03-29T00:00:00.000Z', '2026-03-29T02:00:00.000Z')).toBe(120);
    expect(countBetween('2026-10-24T23:00:00.000Z', '2026-10-25T03:00:00.000Z')).toBe(180);
  });

  it('looks at the clocks a few times, however many minutes of a day an expression allows', () => {
    const looks = import.meta.jest.spyOn(Intl.DateTimeFormat.prototype, 'formatToParts');
    try {
      for (const cron of ['0-59 0-23 * * *', '* * * * *', '*/7 3-20 29 2 *', '0,1,2 0-23 * 1-12 mon-sun']) {
        for (const after of ['2026-06-01T10:00:00Z', '2026-10-25T00:30:00Z', '2026-10-25T01:30:00Z']) {
          looks.mockClear();
          next({ frequency: 'custom', cron, timezone: 'Europe/Berlin' }, after);
          expect(looks.mock.calls.length).toBeLessThan(60);
        }
      }
    } finally {
      looks.mockRestore();
    }
  });

  it.each([
    '* * * *',
    '60 * * * *',
    '* 24 * * *',
    '* * 0 * *',
    '* * * 13 *',
    '* * * * 8',
    'a b c d e',
    '*/0 * * * *',
    '5-1 * * * *',
    '0 0 31 2 *',
    '0 0 30 2 *',
    '0 0 30,31 feb */2',
    '0 0 L * *',
    '0 0 15W * *',
    '0 0 * * 5#2',
    '0 0 * * 5L',
    '@daily',
    '2026-01-01T00:00:00 * * * *',
    '',
    '* * * * * *',
  ])('refuses the expression %j', (cron) => {
    expect(() => nextOccurrence({ ...base, frequency: 'custom', cron }, new Date())).toThrow();
  });
});

describe('followingOccurrence', () => {
  const following = (fired: string, now: string) =>
    followingOccurrence(base, new Date(fired), new Date(now))?.toISOString();

  it.each([
    ['at its time', '2026-01-01T09:00:00Z', '2026-01-02T09:00:00.000Z'],
    ['a while late', '2026-01-01T11:00:00Z', '2026-01-02T09:00:00.000Z'],
    ['after days in which it was missed', '2026-01-04T10:00:00Z', '2026-01-05T09:00:00.000Z'],
    ['by a clock that is a moment ahead', '2026-01-01T08:59:59.990Z', '2026-01-02T09:00:00.000Z'],
    ['by a clock that is days ahead', '2025-12-28T10:00:00Z', '2026-01-02T09:00:00.000Z'],
  ])('is one more, of what fired %s', (_, now, expected) => {
    expect(following('2026-01-01T09:00:00Z', now)).toBe(expected);
  });
});

describe('isSameRecurrence', () => {
  it('tells every field apart', () => {
    expect(isSameRecurrence(base, { ...base })).toBe(true);
    const others: Recurrence = {
      frequency: 'custom',
      time: '09:01',
      timezone: 'Europe/Berlin',
      day: 'sunday',
      day_of_month: 2,
      cron: '* * * * *',
    };
    for (const [name, value] of Object.entries(others)) {
      expect([name, isSameRecurrence(base, { ...base, [name]: value })]).toEqual([name, false]);
    }
  });
});

function two(number: number): string {
  return String(number).padStart(2, '0');
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}

/** What an expression of these values means, found the slow way in a zone whose clocks stay as they are. */
function walk(
  [minutes, hours, days, , weekdays]: readonly (readonly number[] | undefined)[],
  offsetMinutes: number,
  after: Date,
): string {
  const fits = (allowed: readonly number[] | undefined, value: number) => allowed?.includes(value) ?? true;
  for (let at = Math.floor(after.getTime() / 60_000) + 1; ; at += 1) {
    const clock = new Date((at + offsetMinutes) * 60_000);
    if (!fits(minutes, clock.getUTCMinutes()) || !fits(hours, clock.getUTCHours())) continue;
    const day = fits(days, clock.getUTCDate());
    const weekday = fits(weekdays, clock.getUTCDay());
    if (days && weekdays ? day || weekday : day && weekday) return new Date(at * 60_000).toISOString();
  }
}
