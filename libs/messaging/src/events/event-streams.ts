import { busEventSchema, type BusEvent } from '@aos/contracts';
import type { RedisConnections } from '../redis/redis-connections.js';
import { StreamReader } from '../redis/stream-reader.js';

/** Redis holds only the newest events; whoever lags further pulls from the owner. */
const maxStreamLength = 10_000;

function eventStream(connections: RedisConnections, source: string): string {
  return connections.key('events', source);
}

/** The fast path of a service's event log. What it loses, consumers pull from the owner by position. */
export class EventPublisher {
  constructor(private readonly connections: RedisConnections) {}

  async publish(source: string, events: readonly BusEvent[]): Promise<void> {
    const stream = eventStream(this.connections, source);
    const pipeline = this.connections.shared.pipeline();
    for (const event of events) {
      pipeline.xadd(stream, 'MAXLEN', '~', maxStreamLength, '*', 'e', JSON.stringify(event));
    }
    await pipeline.exec();
  }
}

/** Reads the event logs of other services as one consumer group, named after the consuming service. */
export class EventStreamReader {
  private readonly reader: StreamReader;

  constructor(
    private readonly connections: RedisConnections,
    service: string,
    replica: string,
  ) {
    this.reader = new StreamReader(connections, service, replica);
  }

  async read(sources: readonly string[], count: number): Promise<BusEvent[]> {
    const streams = sources.map((source) => eventStream(this.connections, source));
    const entries = await this.reader.read(streams, count);
    return entries.map(({ fields }) => busEventSchema.parse(JSON.parse(fields[1]!)));
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
