import { CronDate, CronPattern } from 'croner';

/** What a cron expression says about the readings of a clock, wherever that clock hangs. */
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
const longestMonth = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const utc = 0;

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

/** Of an expression in croner's own language, in which `L` is the last day of a month. */
export function calendarOf(expression: string): CronCalendar {
  const [, hours, days, , weekdays] = expression.split(' ') as [string, string, string, string, string];
  const pattern = patternOf(expression);
  // When both are restricted, a day that fits either will do; else it must fit both.
  const domAndDow = days.startsWith('*') || weekdays.startsWith('*');
  if (domAndDow) assertPossible(pattern);
  return {
    everyHour: hours.startsWith('*'),
    next: (reading) =>
      new CronDate(new Date(reading), utc).increment(pattern, { domAndDow }, false)?.getTime(),
  };
}

function patternOf(expression: string): CronPattern {
  try {
    return new CronPattern(expression, undefined, { mode: '5-part' });
  } catch (error) {
    throw new CronSyntaxError((error as Error).message.replace(/^CronPattern: /, ''));
  }
}

/** `0 0 31 2 *` would never come, and croner looks for it up to the year 3000. */
function assertPossible({ day, month, lastDayOfMonth }: CronPattern): void {
  const firstDay = day.indexOf(1) + 1;
  const possible = lastDayOfMonth || month.some((on, index) => on && firstDay <= longestMonth[index]!);
  if (!possible) throw new CronSyntaxError('day of month: no month has this day');
}
