import fc from 'fast-check';
import { Cron } from 'croner';
import { nextOccurrence, type Recurrence } from './next-occurrence.js';

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

  it('agrees with an independent library where clocks do not change', () => {
    const cronOf: Record<string, (recurrence: Recurrence) => string> = {
      every_5_minutes: () => '*/5 * * * *',
      every_15_minutes: () => '*/15 * * * *',
      hourly: ({ time }) => `${Number(time.slice(3))} * * * *`,
      daily: ({ time }) => `${Number(time.slice(3))} ${Number(time.slice(0, 2))} * * *`,
      workday: ({ time }) => `${Number(time.slice(3))} ${Number(time.slice(0, 2))} * * 1-5`,
      weekly: ({ time, day }) =>
        `${Number(time.slice(3))} ${Number(time.slice(0, 2))} * * ${day.slice(0, 3)}`,
      monthly: ({ time, day_of_month: day }) =>
        `${Number(time.slice(3))} ${Number(time.slice(0, 2))} ${Math.min(day, 28)} * *`,
    };
    fc.assert(
      fc.property(recurrences, year, (raw, after) => {
        const recurrence = { ...raw, day_of_month: Math.min(raw.day_of_month, 28) };
        const cron = cronOf[recurrence.frequency]!(recurrence);
        const theirs = new Cron(cron, { timezone: recurrence.timezone }).nextRun(after)!;
        const ours = nextOccurrence(recurrence, after)!;
        const custom = nextOccurrence({ ...recurrence, frequency: 'custom', cron }, after)!;
        fc.pre(!clocksChange(recurrence.timezone, after, ours > theirs ? ours : theirs));
        expect(ours.toISOString()).toBe(theirs.toISOString());
        expect(custom.toISOString()).toBe(theirs.toISOString());
      }),
      { numRuns: 400 },
    );
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
    '',
    '* * * * * *',
  ])('refuses the expression %j', (cron) => {
    expect(() => nextOccurrence({ ...base, frequency: 'custom', cron }, new Date())).toThrow();
  });
});

function two(number: number): string {
  return String(number).padStart(2, '0');
}

/** Whether the zone's offset changes within a day around the span. */
function clocksChange(timeZone: string, from: Date, to: Date): boolean {
  const offsets = new Set<string>();
  const format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
  for (let at = from.getTime() - 86_400_000; at <= to.getTime() + 86_400_000; at += 3_600_000) {
    offsets.add(format.formatToParts(at).find(({ type }) => type === 'timeZoneName')!.value);
  }
  return offsets.size > 1;
}
