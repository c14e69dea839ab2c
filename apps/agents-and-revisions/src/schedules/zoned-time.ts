const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

/** There are about 450 zones, but as many spellings as a team cares to write. */
const maxFormats = 600;
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
    if (formats.size >= maxFormats) formats.delete(formats.keys().next().value!);
    formats.set(timeZone, format);
  }
  return format;
}

/** How far the zone's clocks are ahead of UTC at an instant. */
export function offsetMs(instant: number, timeZone: string): number {
  const parts: Record<string, number> = {};
  for (const { type, value } of formatOf(timeZone).formatToParts(instant)) parts[type] = Number(value);
  const { year, month, day, hour, minute, second } = parts as Record<string, number>;
  const reading = Date.UTC(year!, month! - 1, day!, hour!, minute!, second!);
  return reading - Math.floor(instant / 1000) * 1000;
}

/**
 * The instant at which the clocks show a reading (milliseconds, as if they showed UTC). One that is skipped when clocks
 * go forward gives the moment of the jump; one that comes twice gives the first.
 */
export function instantOf(reading: number, timeZone: string): number {
  // A zone's offset changes at most once within a day or so: both candidates lie around it.
  const offsets = [...new Set([offsetMs(reading - dayMs, timeZone), offsetMs(reading + dayMs, timeZone)])];
  const exact = offsets
    .map((offset) => reading - offset)
    .filter((instant) => instant + offsetMs(instant, timeZone) === reading);
  if (exact.length > 0) return Math.min(...exact);
  return changeBetween(reading - Math.max(...offsets), reading - Math.min(...offsets), timeZone)!;
}

/** The moment at which the offset changes, to the minute; undefined if it is the same at both ends. */
export function changeBetween(from: number, to: number, timeZone: string): number | undefined {
  const before = offsetMs(from, timeZone);
  if (offsetMs(to, timeZone) === before) return undefined;
  let low = Math.floor(from / minuteMs);
  let high = Math.ceil(to / minuteMs);
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (offsetMs(middle * minuteMs, timeZone) === before) low = middle;
    else high = middle;
  }
  return high * minuteMs;
}
