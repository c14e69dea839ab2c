import type { BusEvent } from '@aos/contracts';
import { assertPipeline, eventStream, StreamReader, type RedisConnections } from '@aos/messaging';
import type { Tracing } from '@aos/platform';
import { EventEntries } from './event-entries.js';
import { handleTraced } from './traced-events.js';

/**
 * Redis holds only the newest entries; a consumer that lags further pulls from the owner. Entries are few and large under
 * load, when 500 of them were 25 MB: those of some seconds then.
 */
const maxEntries = 500;
/**
 * Events travel together: an entry costs Redis the same however many are in it, and what was numbered together is mostly
 * one entry. Of two, a waiting consumer would take the first alone, and handle the second as a batch of its own.
 */
const eventsPerEntry = 200;
/** Limits one entry; a consumer reads up to a hundred entries at once. Larger events are pulled from their owner. */
const maxEntryBytes = 256 * 1024;
/** Limits all entries of a stream in Redis. */
const maxStreamBytes = 16 * 1024 * 1024;

/** The fast path of a service's event log. What it loses, consumers pull from the owner by position. */
export class EventPublisher {
  /** Sizes of the entries that this process added last. */
  private readonly latestBytes: number[] = [];

  constructor(
    private readonly connections: RedisConnections,
    private readonly tracing: Tracing,
    private readonly entries: EventEntries,
    /** How many events Redis keeps. */
    private readonly length: number,
  ) {}

  /** Does not wait for a Redis that is away: what would be kept for it is in the log already. */
  async publish(source: string, events: readonly BusEvent[]): Promise<void> {
    const { shared } = this.connections;
    if (shared.status !== 'ready') throw new Error('Redis is away');
    await handleTraced(this.tracing, 'publish', events, (traced) => this.add(source, traced));
  }

  private async add(source: string, events: readonly BusEvent[]): Promise<void> {
    const { shared } = this.connections;
    const stream = eventStream(this.connections, source);
    const pipeline = shared.pipeline();
    for (let first = 0; first < events.length; first += eventsPerEntry) {
      const together = events.slice(first, first + eventsPerEntry);
      for (const text of this.entries.write(together, maxEntryBytes)) {
        const kept = Math.min(maxEntries, Math.ceil(this.length / together.length), this.roomFor(text));
        pipeline.xadd(stream, 'MAXLEN', '~', kept, '*', 'e', text);
      }
    }
    assertPipeline(await pipeline.exec());
  }

  /** How many of the newest entries, this one included, the stream has room for. */
  private roomFor(text: string): number {
    this.latestBytes.push(Buffer.byteLength(text));
    if (this.latestBytes.length > maxEntries) this.latestBytes.shift();
    let bytes = 0;
    let count = 0;
    for (let at = this.latestBytes.length - 1; at >= 0; at -= 1) {
      bytes += this.latestBytes[at]!;
      if (bytes > maxStreamBytes) break;
      count += 1;
    }
    return Math.max(1, count === this.latestBytes.length ? maxEntries : count);
  }
}

/** Reads the event logs of other services as one consumer group, named after the consuming service. */
export class EventStreamReader {
  private readonly reader: StreamReader;

  constructor(
    private readonly connections: RedisConnections,
    service: string,
    private readonly entries: EventEntries,
  ) {
    this.reader = new StreamReader(connections, service);
  }

  async read(sources: readonly string[], entries: number): Promise<BusEvent[]> {
    const streams = sources.map((source) => eventStream(this.connections, source));
    const read = await this.reader.read(streams, entries);
    // A role can write its own stream alone, so an entry that names another source is forged.
    return read.flatMap(({ stream, fields }) =>
      this.entries
        .read(fields[1] ?? '')
        .filter(({ meta }) => eventStream(this.connections, meta.source) === stream),
    );
  }

  /** Called when events may have been lost on their way. */
  onLoss(listener: () => void): void {
    this.reader.onLoss(listener);
  }

  async interrupt(): Promise<void> {
    await this.reader.interrupt();
  }

  async close(): Promise<void> {
    await this.reader.close();
  }

  disconnect(): void {
    this.reader.disconnect();
  }
}
