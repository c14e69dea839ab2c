import { calendarOf, parseCron, type CronCalendar } from './cron-expression.js';
import { changeBetween, instantOf, offsetMs } from './zoned-time.js';

/** When a schedule fires. */
export interface Recurrence {
  readonly frequency:
    | 'every_5_minutes'
    | 'every_15_minutes'
    | 'hourly'
    | 'daily'
    | 'workday'
    | 'weekly'
    | 'monthly'
    | 'custom';
  /** HH:MM on the zone's clocks; for `hourly` only the minutes count. */
  readonly time: string;
  readonly timezone: string;
  readonly day: string;
  readonly day_of_month: number;
  readonly cron: string | null;
}

/** Every one: a field that is missing here does not compile. */
const fields: Readonly<Record<keyof Recurrence, true>> = {
  frequency: true,
  time: true,
  timezone: true,
  day: true,
  day_of_month: true,
  cron: true,
};
const fieldNames = Object.keys(fields) as (keyof Recurrence)[];

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

/**
 * The first instant after the given one at which the schedule fires; undefined if there is none. The calendar
 * reads every clock as if it showed UTC; what clock changes do to a schedule is decided here.
 */
export function nextOccurrence(recurrence: Recurrence, after: Date): Date | undefined {
  const { frequency, timezone } = recurrence;
  if (frequency === 'every_5_minutes') return nextMultiple(after, 5);
  if (frequency === 'every_15_minutes') return nextMultiple(after, 15);
  const instants = calendarsOf(recurrence)
    .map((calendar) => (calendar.everyHour ? nextByClock : nextByDay)(calendar, timezone, after.getTime()))
    .filter((instant) => instant !== undefined);
  return instants.length === 0 ? undefined : new Date(Math.min(...instants));
}

/**
 * The date after one that has fired. From now on, so that what was missed while no process was there fires once; and later
 * than the one that fired, for the clock that called it due may be ahead of the one that says what is now.
 */
export function followingOccurrence(recurrence: Recurrence, fired: Date, now: Date): Date | undefined {
  return nextOccurrence(recurrence, fired > now ? fired : now);
}

export function isSameRecurrence(one: Recurrence, other: Recurrence): boolean {
  return fieldNames.every((name) => one[name] === other[name]);
}

/** Zones differ from UTC by multiples of a quarter of an hour, so the clocks agree on these. */
function nextMultiple(after: Date, minutes: number): Date {
  const step = minutes * minuteMs;
  return new Date((Math.floor(after.getTime() / step) + 1) * step);
}

function calendarsOf(recurrence: Recurrence): CronCalendar[] {
  const { frequency, time, day, day_of_month: dayOfMonth } = recurrence;
  if (frequency === 'custom') return [parseCron(recurrence.cron ?? '')];
  const [hour, minute] = time.split(':').map(Number);
  if (frequency === 'hourly') return [calendarOf(`${minute} * * * *`)];
  const days = {
    daily: ['* * *'],
    workday: ['* * 1-5'],
    weekly: [`* * ${day.slice(0, 3)}`],
    monthly: monthlyDays(dayOfMonth),
  }[frequency as 'daily' | 'workday' | 'weekly' | 'monthly'];
  return days.map((fields) => calendarOf(`${minute} ${hour} ${fields}`));
}

/** A day that the month lacks is its last. */
function monthlyDays(day: number): string[] {
  if (day <= 28) return [`${day} * *`];
  return day === 31 ? ['L * *'] : [`${day} 1,3-12 *`, 'L 2 *'];
}

/** Fixed times of day: each fires once on its day, at the jump if clocks skip it, the first time if it comes twice. */
function nextByDay(calendar: CronCalendar, timeZone: string, after: number): number | undefined {
  const reading = after + offsetMs(after, timeZone);
  const first = instantOf(reading, timeZone);
  // In the repeated hour of a clock change all readings have already passed.
  const change = first < after ? changeBetween(first, after, timeZone) : undefined;
  const seen = change === undefined ? reading : change + offsetMs(change - 1, timeZone) - 1;
  const next = calendar.next(seen);
  return next === undefined ? undefined : instantOf(next, timeZone);
}

/** Around the clock: real time is followed, and what the clocks show decides. */
function nextByClock(
  calendar: CronCalendar,
  timeZone: string,
  after: number,
  reading = after + offsetMs(after, timeZone),
): number | undefined {
  const next = calendar.next(reading);
  if (next === undefined) return undefined;
  const instant = next - offsetMs(after, timeZone);
  // Far away: nothing fits before, so the look begins anew shortly before it, with the offset of that time.
  if (instant > after + dayMs) return nextByClock(calendar, timeZone, instantOf(next, timeZone) - dayMs / 2);
  const change = changeBetween(after, instant, timeZone);
  if (change === undefined) return instant;
  // The clocks were set before it came: what they show from then on counts.
  return nextByClock(calendar, timeZone, change, change + offsetMs(change, timeZone) - 1);
}
