import type { Redis } from 'ioredis';
import type { RedisConnections } from './redis-connections.js';

export interface StreamEntry {
  readonly stream: string;
  readonly id: string;
  readonly fields: readonly string[];
}

const blockMs = 5_000;
const silenceMs = blockMs + 10_000;

/**
 * Reads streams as a member of a consumer group, so that each entry goes to one replica of a service.
 * Entries are not kept for acknowledgement: a request is never handed on, and events are counted by position.
 */
export class StreamReader {
  private readonly redis: Redis;
  private clientId: number | undefined;
  private closing = false;

  constructor(
    private readonly connections: RedisConnections,
    private readonly group: string,
    private readonly consumer: string,
  ) {
    this.redis = connections.connect(`reader-${group}`);
    this.redis.on('close', () => (this.clientId = undefined));
  }

  /** Waits for entries that no member of the group has seen; empty after a while, or when interrupted. */
  async read(streams: readonly string[], count: number): Promise<StreamEntry[]> {
    if (this.closing) return [];
    // Asked for before the connection blocks: what comes after a blocking command waits for it.
    this.clientId ??= await this.redis.client('ID');
    if (this.closing) return [];
    try {
      const answer = await this.orReconnect(
        this.redis.xreadgroup(
          'GROUP',
          this.group,
          this.consumer,
          'COUNT',
          count,
          'BLOCK',
          blockMs,
          'NOACK',
          'STREAMS',
          ...streams,
          ...streams.map(() => '>'),
        ) as Promise<[string, [string, string[]][]][] | null>,
      );
      return (answer ?? []).flatMap(([stream, entries]) =>
        entries.map(([id, fields]) => ({ stream, id, fields })),
      );
    } catch (error) {
      if (!(error instanceof Error && error.message.includes('NOGROUP'))) throw error;
      // First start, or Redis lost everything: begin at 0, so that what was added since is seen.
      await this.createGroups(streams);
      return [];
    }
  }

  async createGroups(streams: readonly string[]): Promise<void> {
    for (const stream of streams) {
      await this.connections.shared
        .xgroup('CREATE', stream, this.group, '0', 'MKSTREAM')
        .catch((error: Error) => {
          if (!error.message.includes('BUSYGROUP')) throw error;
        });
    }
  }

  /** Ends a waiting read without losing an entry that is just being handed out. */
  async interrupt(): Promise<void> {
    if (this.clientId !== undefined) await this.connections.shared.client('UNBLOCK', this.clientId);
  }

  async close(): Promise<void> {
    this.closing = true;
    if (this.redis.status === 'ready') await this.interrupt().catch(() => undefined);
    else this.redis.disconnect();
  }

  disconnect(): void {
    this.redis.disconnect();
  }

  /** A peer that vanished without a word leaves a blocked read waiting for ever; reconnecting ends it. */
  private async orReconnect<T>(read: Promise<T>): Promise<T> {
    const timer = setTimeout(() => this.redis.disconnect(true), silenceMs);
    try {
      return await read;
    } finally {
      clearTimeout(timer);
    }
  }
}
