import { CronPattern } from 'croner';

/** A cron expression on local clock readings, without a time zone. */
export interface CronCalendar {
  /** The first reading after the given one that fits. Readings are milliseconds, as if the clock showed UTC. */
  next(reading: number): number | undefined;
  /** Runs around the clock, so it follows real time through clock changes. */
  readonly everyHour: boolean;
}

interface Field {
  readonly name: string;
  readonly last: number;
  readonly values: number;
}

const fieldRules: readonly Field[] = [
  { name: 'minute', last: 59, values: 60 },
  { name: 'hour', last: 23, values: 24 },
  { name: 'day of month', last: 31, values: 31 },
  { name: 'month', last: 12, values: 12 },
  // Sunday is 0 and 7.
  { name: 'day of week', last: 7, values: 7 },
];
/** A value, a range or all, with a step. croner reads more than that: nicknames, dates, `L`, `W`, `#`. */
const partPattern = /^(?:(\*)|(\d{1,3}|[a-z]{3})(?:-(\d{1,3}|[a-z]{3}))?)(?:\/(\d{1,3}))?$/i;
const dayMs = 24 * 60 * 60_000;
/** 29 February comes again after at most eight years, on a given weekday after at most forty. */
const maxGapDays = 41 * 366;

export class CronSyntaxError extends Error {
  override readonly name = 'CronSyntaxError';
}

/** Reads five fields: lists, ranges, steps and the usual names. */
export function parseCron(text: string): CronCalendar {
  const fields = text.trim().split(/\s+/);
  if (fields.length !== fieldRules.length)
    throw new CronSyntaxError(`expected 5 fields, got ${fields.length}`);
  const plain = fields.map((field, index) =>
    field
      .split(',')
      .map((part) => plainPart(part, fieldRules[index]!))
      .join(','),
  );
  return calendarOf(plain.join(' '));
}

/** In the words of croner, which wants the end of a range and no step beyond it. */
function plainPart(part: string, { name, last, values }: Field): string {
  const [, all, from, to, step] = partPattern.exec(part) ?? [];
  if (all === undefined && from === undefined)
    throw new CronSyntaxError(`${name}: cannot read "${part.slice(0, 40)}"`);
  const range = all ?? (to === undefined && step === undefined ? from : `${from}-${to ?? last}`);
  return step === undefined ? range! : `${range}/${Math.min(Number(step), values)}`;
}

/** Translates into croner's syntax, in which `L` is the last day of a month. */
export function calendarOf(expression: string): CronCalendar {
  const [, hours, days, , weekdays] = expression.split(' ') as [string, string, string, string, string];
  const pattern = patternOf(expression);
  // When both are restricted, a day that fits either will do; else it must fit both.
  const isEither = !days.startsWith('*') && !weekdays.startsWith('*');
  const calendar = {
    everyHour: hours.startsWith('*'),
    next: (reading: number) => nextReading(pattern, isEither, reading),
  };
  if (calendar.next(0) === undefined) throw new CronSyntaxError('day of month: no month has this day');
  return calendar;
}

/** Looked for here, for croner passes over days at the start of a month: `0 0 1,31 * *` skips 1 March. */
function nextReading(pattern: CronPattern, isEither: boolean, reading: number): number | undefined {
  const minutes = minutesOf(pattern);
  const today = Math.floor(reading / dayMs) * dayMs;
  const left = minutes.find((minute) => today + minute > reading);
  if (left !== undefined && fitsDay(pattern, isEither, today)) return today + left;
  for (let day = today + dayMs; day <= today + maxGapDays * dayMs; day += dayMs)
    if (fitsDay(pattern, isEither, day)) return day + minutes[0]!;
  return undefined;
}

/** The times of day that fit, in milliseconds since midnight. */
function minutesOf({ hour, minute }: CronPattern): number[] {
  const chosen = (values: readonly number[]) => values.flatMap((on, value) => (on ? [value] : []));
  return chosen(hour).flatMap((hours) => chosen(minute).map((minutes) => (hours * 60 + minutes) * 60_000));
}

function fitsDay(pattern: CronPattern, isEither: boolean, reading: number): boolean {
  const date = new Date(reading);
  if (!pattern.month[date.getUTCMonth()]) return false;
  const isLast = new Date(reading + dayMs).getUTCDate() === 1;
  const fitsDate = Boolean(pattern.day[date.getUTCDate() - 1]) || (pattern.lastDayOfMonth && isLast);
  const fitsWeekday = Boolean(pattern.dayOfWeek[date.getUTCDay()]);
  return isEither ? fitsDate || fitsWeekday : fitsDate && fitsWeekday;
}

function patternOf(expression: string): CronPattern {
  try {
    return new CronPattern(expression, undefined, { mode: '5-part' });
  } catch (error) {
    throw new CronSyntaxError((error as Error).message.replace(/^CronPattern: /, ''));
  }
}
