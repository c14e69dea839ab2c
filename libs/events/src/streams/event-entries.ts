import type { BusEvent, EventMeta } from '@aos/contracts';
import { frozen } from '@aos/platform';

/**
 * How many entries a service may lag behind the first reader of its process. Under load one comes every 50 ms, and billing
 * reads once a second.
 */
const maxSharedEntries = 24;

/**
 * Writes and reads the entries of event streams. Services that share a process read the same entries, most of which one of
 * them has written: entries that are kept are not parsed again, and are frozen, so that no reader changes what others get.
 */
export class EventEntries {
  /** Oldest first; few, so that to compare them is less than to hash such a text. */
  private readonly latest: { readonly text: string; readonly events: readonly BusEvent[] }[] = [];

  constructor(private readonly maxKept = 0) {}

  /** For services that share a process. */
  static shared(): EventEntries {
    return new EventEntries(maxSharedEntries);
  }

  /** The texts of entries that hold these. They are JSON: each comes back as it is. An event that is too large loses its data. */
  write(events: readonly BusEvent[], maxBytes = Infinity): string[] {
    const text = JSON.stringify(events);
    // No text has more bytes than three times its length.
    if (text.length * 3 <= maxBytes || Buffer.byteLength(text) <= maxBytes) {
      if (this.maxKept > 0) this.keep(text, events);
      return [text];
    }
    if (events.length === 1) return this.write(events.map(withoutData));
    const half = Math.ceil(events.length / 2);
    return [...this.write(events.slice(0, half), maxBytes), ...this.write(events.slice(half), maxBytes)];
  }

  /** An entry that holds no events leaves a gap, and what belongs there is pulled from the owner. */
  read(text: string): readonly BusEvent[] {
    const known = this.latest.find((entry) => entry.text === text);
    if (known) return known.events;
    const events = toBusEvents(text);
    if (this.maxKept > 0) this.keep(text, events);
    return events;
  }

  private keep(text: string, events: readonly BusEvent[]): void {
    for (const event of events) frozen(event);
    this.latest.push({ text, events });
    if (this.latest.length > this.maxKept) this.latest.shift();
  }
}

function withoutData(event: BusEvent): BusEvent {
  return { ...event, data: {}, meta: { ...event.meta, without_data: true } };
}

function toBusEvents(text: string): readonly BusEvent[] {
  try {
    const entry: unknown = JSON.parse(text);
    return Array.isArray(entry) && entry.every(isBusEvent) ? entry : [];
  } catch {
    return [];
  }
}

/**
 * Whether it has all that a consumer goes by. The owner has recorded it by its schema, and its data is checked by who
 * handles it: every event goes to four services, and a schema for each of them was a third of what reading cost.
 */
function isBusEvent(value: unknown): value is BusEvent {
  if (!isObject(value)) return false;
  const { id, event, created_at: createdAt, data, meta }: Partial<BusEvent> = value;
  return (
    [id, event, createdAt].every((text) => typeof text === 'string') && isObject(data) && isEventMeta(meta)
  );
}

function isEventMeta(value: unknown): value is EventMeta {
  if (!isObject(value)) return false;
  const { source, position, team_id: teamId, epoch }: Partial<EventMeta> = value;
  return (
    typeof source === 'string' &&
    Number.isInteger(position) &&
    (teamId === null || typeof teamId === 'string') &&
    (epoch === undefined || typeof epoch === 'string')
  );
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
