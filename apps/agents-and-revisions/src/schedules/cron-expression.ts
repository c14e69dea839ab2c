/** The fields of a cron expression, each as the sorted values it allows. */
export interface CronFields {
  readonly minutes: readonly number[];
  readonly hours: readonly number[];
  readonly daysOfMonth: readonly number[];
  readonly months: readonly number[];
  /** 0 = Sunday. */
  readonly daysOfWeek: readonly number[];
  /** When both are restricted, a day that fits either will do; else it must fit both. */
  readonly eitherDay: boolean;
  /** Runs around the clock, so it follows real time through clock changes. */
  readonly everyHour: boolean;
}

interface FieldRule {
  readonly name: string;
  readonly min: number;
  readonly max: number;
  readonly names?: readonly string[];
}

const rules: readonly FieldRule[] = [
  { name: 'minute', min: 0, max: 59 },
  { name: 'hour', min: 0, max: 23 },
  { name: 'day of month', min: 1, max: 31 },
  {
    name: 'month',
    min: 1,
    max: 12,
    names: ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'],
  },
  { name: 'day of week', min: 0, max: 7, names: ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] },
];

export class CronSyntaxError extends Error {
  override readonly name = 'CronSyntaxError';
}

/** Reads five fields: lists, ranges, steps and the usual names. */
export function parseCron(text: string): CronFields {
  const fields = text.trim().split(/\s+/);
  if (fields.length !== rules.length) throw new CronSyntaxError(`expected 5 fields, got ${fields.length}`);
  const [minutes, hours, daysOfMonth, months, weekdays] = fields.map((field, index) =>
    parseField(field, rules[index]!),
  );
  const [, hourField, dayField, , weekdayField] = fields;
  const parsed = {
    minutes: minutes!,
    hours: hours!,
    daysOfMonth: daysOfMonth!,
    months: months!,
    daysOfWeek: sorted(weekdays!.map((day) => day % 7)),
    eitherDay: !dayField!.startsWith('*') && !weekdayField!.startsWith('*'),
    everyHour: hourField!.startsWith('*'),
  };
  assertPossible(parsed);
  return parsed;
}

function parseField(text: string, rule: FieldRule): number[] {
  return sorted(text.split(',').flatMap((part) => parsePart(part, rule)));
}

function parsePart(part: string, rule: FieldRule): number[] {
  const match = /^(\*|(\w+)(?:-(\w+))?)(?:\/(\d{1,3}))?$/.exec(part);
  if (!match) throw new CronSyntaxError(`${rule.name}: cannot read "${part.slice(0, 40)}"`);
  const [, whole, first, last, stepText] = match;
  const step = stepText === undefined ? 1 : Number(stepText);
  const from = whole === '*' ? rule.min : valueOf(first!, rule);
  const open = whole === '*' || (last === undefined && stepText !== undefined);
  const to = last === undefined ? (open ? rule.max : from) : valueOf(last, rule);
  if (step === 0 || from > to) throw new CronSyntaxError(`${rule.name}: cannot read "${part.slice(0, 40)}"`);
  const values = [];
  for (let value = from; value <= to; value += step) values.push(value);
  return values;
}

function valueOf(text: string, rule: FieldRule): number {
  const named = rule.names?.indexOf(text.toLowerCase()) ?? -1;
  const value = named >= 0 ? named + rule.min : /^\d{1,3}$/.test(text) ? Number(text) : NaN;
  if (!(value >= rule.min && value <= rule.max)) {
    throw new CronSyntaxError(
      `${rule.name}: ${text.slice(0, 20)} is not between ${rule.min} and ${rule.max}`,
    );
  }
  return value;
}

const longestMonth = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** `0 0 31 2 *` would never come. */
function assertPossible({ daysOfMonth, months, eitherDay }: CronFields): void {
  const possible = months.some((month) => daysOfMonth[0]! <= longestMonth[month - 1]!);
  if (!possible && !eitherDay) throw new CronSyntaxError('day of month: no month has this day');
}

function sorted(values: readonly number[]): number[] {
  return [...new Set(values)].sort((a, b) => a - b);
}
