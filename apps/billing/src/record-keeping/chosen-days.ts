import { z } from 'zod';

/** Days, as `YYYY-MM-DD`: from the first, and before the last. */
export interface Days {
  readonly from: string;
  readonly before: string;
}

const dayMs = 86_400_000;

export function dayText(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

/** The days that an operator names: the first and the last, or one alone. Undefined if these are no days. */
export function chosenDays([first, last = first, ...others]: readonly string[]): Days | undefined {
  if (others.length > 0 || !isDay(first) || !isDay(last) || first > last) return undefined;
  return { from: first, before: dayText(Date.parse(last) + dayMs) };
}

function isDay(text: string | undefined): text is string {
  return z.iso.date().safeParse(text).success;
}
