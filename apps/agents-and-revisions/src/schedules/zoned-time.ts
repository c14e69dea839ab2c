/** A reading of a wall clock. Months are 1 to 12. */
export interface WallTime {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(timeZone: string): Intl.DateTimeFormat {
  let format = formats.get(timeZone);
  if (!format) {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      era: 'short',
    });
    formats.set(timeZone, format);
  }
  return format;
}

/** How far the zone's clocks are ahead of UTC at an instant. */
export function offsetMs(instant: number, timeZone: string): number {
  const parts: Record<string, number> = {};
  for (const { type, value } of formatOf(timeZone).formatToParts(instant)) parts[type] = Number(value);
  const { year, month, day, hour, minute, second } = parts as Record<string, number>;
  const wall = Date.UTC(year!, month! - 1, day!, hour!, minute!, second!);
  return wall - Math.floor(instant / 1000) * 1000;
}

export function wallTimeAt(instant: number, timeZone: string): WallTime {
  const shifted = new Date(instant + offsetMs(instant, timeZone));
  return {
    year: shifted.getUTCFullYear(),
    month: shifted.getUTCMonth() + 1,
    day: shifted.getUTCDate(),
    hour: shifted.getUTCHours(),
    minute: shifted.getUTCMinutes(),
  };
}

/**
 * The instant at which the clocks show a time. A time that is skipped when clocks go forward gives the moment of
 * the jump; one that comes twice gives the first.
 */
export function instantOf(wall: WallTime, timeZone: string): number {
  const naive = Date.UTC(wall.year, wall.month - 1, wall.day, wall.hour, wall.minute);
  // A zone's offset changes at most once within a day or so: both candidates lie around it.
  const offsets = [...new Set([offsetMs(naive - dayMs, timeZone), offsetMs(naive + dayMs, timeZone)])];
  const exact = offsets
    .map((offset) => naive - offset)
    .filter((instant) => instant + offsetMs(instant, timeZone) === naive);
  if (exact.length > 0) return Math.min(...exact);
  return jumpBetween(naive - Math.max(...offsets), naive - Math.min(...offsets), timeZone);
}

/** The moment at which the offset changes, to the minute. */
function jumpBetween(from: number, to: number, timeZone: string): number {
  const before = offsetMs(from, timeZone);
  let low = from;
  let high = to;
  while (high - low > minuteMs) {
    const middle = Math.floor((low + high) / 2 / minuteMs) * minuteMs;
    if (offsetMs(middle, timeZone) === before) low = middle;
    else high = middle;
  }
  return high;
}

export function daysInMonth(year: number, month: number): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate();
}

/** 0 = Sunday. */
export function weekdayOf(year: number, month: number, day: number): number {
  return new Date(Date.UTC(year, month - 1, day)).getUTCDay();
}
