export interface Bar {
  /** A day, such as `2026-11-19`. */
  readonly label: string;
  readonly value: number;
  /** A part of the value, in another color. */
  readonly part?: number;
}

const dayMs = 86_400_000;

/** The name of a day, UTC: `2026-11-19`. */
export function dayOf(moment: number): string {
  return new Date(moment).toISOString().slice(0, 10);
}

/** A bar for each day from the first to the last: one without any is as much a fact as the others. */
export function everyDay(first: string, last: string, known: readonly Bar[]): Bar[] {
  const byDay = new Map(known.map((bar) => [bar.label, bar]));
  const bars: Bar[] = [];
  for (let at = Date.parse(first); at <= Date.parse(last); at += dayMs) {
    const label = dayOf(at);
    bars.push(byDay.get(label) ?? { label, value: 0 });
  }
  return bars;
}

const short = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', timeZone: 'UTC' });

/** `19 Nov`. */
export function shortDay(day: string): string {
  const parts = new Map(short.formatToParts(Date.parse(day)).map(({ type, value }) => [type, value]));
  return `${parts.get('day')} ${parts.get('month')}`;
}
