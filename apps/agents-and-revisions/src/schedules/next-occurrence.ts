import { parseCron, type CronFields } from './cron-expression.js';
import { daysInMonth, instantOf, wallTimeAt, weekdayOf, type WallTime } from './zoned-time.js';

/** When a schedule fires. */
export interface Recurrence {
  readonly frequency:
    'every_5_minutes' | 'every_15_minutes' | 'hourly' | 'daily' | 'workday' | 'weekly' | 'monthly' | 'custom';
  /** HH:MM on the zone's clocks; for `hourly` only the minutes count. */
  readonly time: string;
  readonly timezone: string;
  readonly day: string;
  readonly day_of_month: number;
  readonly cron: string | null;
}

const weekdays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
const minuteMs = 60_000;
/** Leap days are at most eight years apart. */
const maxDays = 8 * 366 + 1;

/** The first instant after the given one at which the schedule fires; undefined if there is none. */
export function nextOccurrence(recurrence: Recurrence, after: Date): Date | undefined {
  const { frequency } = recurrence;
  if (frequency === 'every_5_minutes') return nextMultiple(after, 5);
  if (frequency === 'every_15_minutes') return nextMultiple(after, 15);
  const plan = planOf(recurrence);
  const instant = plan.everyHour
    ? nextByClock(plan, recurrence.timezone, after.getTime())
    : nextByDay(plan, recurrence.timezone, after.getTime());
  return instant === undefined ? undefined : new Date(instant);
}

/** Zones differ from UTC by multiples of a quarter of an hour, so the clocks agree on these. */
function nextMultiple(after: Date, minutes: number): Date {
  const step = minutes * minuteMs;
  return new Date((Math.floor(after.getTime() / step) + 1) * step);
}

interface Plan {
  readonly minutes: readonly number[];
  readonly hours: readonly number[];
  readonly everyHour: boolean;
  fits(year: number, month: number, day: number): boolean;
}

function planOf(recurrence: Recurrence): Plan {
  if (recurrence.frequency === 'custom') return cronPlan(parseCron(recurrence.cron ?? ''));
  const [hour, minute] = recurrence.time.split(':').map(Number) as [number, number];
  if (recurrence.frequency === 'hourly') {
    return { minutes: [minute], hours: allHours, everyHour: true, fits: () => true };
  }
  return { minutes: [minute], hours: [hour], everyHour: false, fits: dayRule(recurrence) };
}

const allHours = Array.from({ length: 24 }, (_, hour) => hour);

function dayRule({ frequency, day, day_of_month: dayOfMonth }: Recurrence): Plan['fits'] {
  if (frequency === 'workday') {
    return (year, month, date) => ![0, 6].includes(weekdayOf(year, month, date));
  }
  if (frequency === 'weekly') {
    return (year, month, date) => weekdayOf(year, month, date) === weekdays.indexOf(day);
  }
  if (frequency === 'monthly') {
    // A day that the month lacks is its last.
    return (year, month, date) => date === Math.min(dayOfMonth, daysInMonth(year, month));
  }
  return () => true;
}

function cronPlan(fields: CronFields): Plan {
  return {
    minutes: fields.minutes,
    hours: fields.hours,
    everyHour: fields.everyHour,
    fits: (year, month, day) => {
      if (!fields.months.includes(month)) return false;
      const date = fields.daysOfMonth.includes(day);
      const weekday = fields.daysOfWeek.includes(weekdayOf(year, month, day));
      return fields.eitherDay ? date || weekday : date && weekday;
    },
  };
}

/** Fixed times of day: each fires once on its day, also where clocks change. */
function nextByDay(plan: Plan, timeZone: string, after: number): number | undefined {
  for (const date of datesFrom(wallTimeAt(after, timeZone))) {
    if (!plan.fits(date.year, date.month, date.day)) continue;
    const instants = plan.hours
      .flatMap((hour) => plan.minutes.map((minute) => instantOf({ ...date, hour, minute }, timeZone)))
      .filter((instant) => instant > after);
    if (instants.length > 0) return Math.min(...instants);
  }
  return undefined;
}

/** Around the clock: real time is followed, and what the clocks show decides. */
function nextByClock(plan: Plan, timeZone: string, after: number): number | undefined {
  for (const date of datesFrom(wallTimeAt(after, timeZone))) {
    if (!plan.fits(date.year, date.month, date.day)) continue;
    const dayStart = instantOf({ ...date, hour: 0, minute: 0 }, timeZone);
    const first = Math.max(dayStart, (Math.floor(after / minuteMs) + 1) * minuteMs);
    for (let instant = first; ; instant += minuteMs) {
      const wall = wallTimeAt(instant, timeZone);
      if (wall.day !== date.day) break;
      if (plan.minutes.includes(wall.minute) && plan.hours.includes(wall.hour)) return instant;
    }
  }
  return undefined;
}

function* datesFrom(start: WallTime): Generator<WallTime> {
  const first = Date.UTC(start.year, start.month - 1, start.day);
  for (let index = 0; index < maxDays; index += 1) {
    const date = new Date(first + index * 24 * 60 * minuteMs);
    yield {
      year: date.getUTCFullYear(),
      month: date.getUTCMonth() + 1,
      day: date.getUTCDate(),
      hour: 0,
      minute: 0,
    };
  }
}
