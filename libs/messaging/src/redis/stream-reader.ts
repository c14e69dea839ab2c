import { isQuiet } from '@aos/platform';
import type { Redis } from 'ioredis';
import type { RedisConnections } from './redis-connections.js';

export interface StreamEntry {
  readonly stream: string;
  readonly id: string;
  readonly fields: readonly string[];
}

const blockMs = 5_000;
const quietBlockMs = 10_000;
const patienceMs = 10_000;
const interruptEveryMs = 50;
/** Nothing is kept for a consumer, so all replicas can be the same one, and none is left behind by a dead replica. */
const consumer = 'replica';

/**
 * Reads streams as a member of a consumer group, so that each entry goes to one replica of a service.
 * Entries are not kept for acknowledgement: a request is never handed on, and events are counted by position.
 */
export class StreamReader {
  private readonly redis: Redis;
  private clientId: number | undefined;
  private reading: Promise<unknown> | undefined;
  private abandon: () => void = () => undefined;
  private closing = false;
  private tellLoss: () => void = () => undefined;

  constructor(
    private readonly connections: RedisConnections,
    private readonly group: string,
  ) {
    this.redis = connections.connectBlocking(`reader-${group}`);
    this.redis.on('close', () => (this.clientId = undefined));
    this.redis.on('ready', () => this.tellLoss());
  }

  /** Called when entries may have been lost: after a new connection, and when the streams were gone. */
  onLoss(listener: () => void): void {
    this.tellLoss = listener;
  }

  /** Entries that no member of the group has seen. Unless told otherwise it waits for them; empty after a while, or when interrupted. */
  async read(streams: readonly string[], count: number, waits = true): Promise<StreamEntry[]> {
    if (this.closing) return [];
    const reading = new Promise<StreamEntry[]>((resolve, reject) => {
      this.abandon = () => resolve([]);
      this.readOnce(streams, count, waits).then(resolve, reject);
    });
    const ended = () => (this.reading = undefined);
    this.reading = reading.then(ended, ended);
    return reading;
  }

  /** The id of the oldest entry that no member of the group has taken. */
  async oldestUnread(stream: string): Promise<string | undefined> {
    const groups = (await this.redis.xinfo('GROUPS', stream)) as unknown[][];
    const own = groups.map(fieldsOf).find(({ name }) => name === this.group);
    // Redis lost everything; the next read makes the group again.
    if (!own) return undefined;
    const [oldest] = await this.redis.xrange(stream, `(${own['last-delivered-id']}`, '+', 'COUNT', 1);
    return oldest?.[0];
  }

  async createGroups(streams: readonly string[]): Promise<void> {
    for (const stream of streams) {
      await this.redis.xgroup('CREATE', stream, this.group, '0', 'MKSTREAM').catch((error: Error) => {
        if (!error.message.includes('BUSYGROUP')) throw error;
      });
    }
  }

  /** Ends a waiting read without losing an entry that is just being handed out. */
  async interrupt(): Promise<void> {
    if (this.clientId !== undefined) await this.connections.shared.client('UNBLOCK', this.clientId);
  }

  /** Resolves when nothing is being read any more; what was read last has been handed out. */
  async close(): Promise<void> {
    this.closing = true;
    while (this.reading && this.redis.status === 'ready') {
      this.interrupt().catch(() => undefined);
      // The read may have been on its way to Redis when it was interrupted: try again.
      await Promise.race([this.reading, new Promise((resolve) => setTimeout(resolve, interruptEveryMs))]);
    }
    // Without Redis nothing is handed out, and ioredis keeps the command waiting even when told to disconnect.
    this.abandon();
  }

  disconnect(): void {
    this.redis.disconnect();
  }

  private async readOnce(streams: readonly string[], count: number, waits: boolean): Promise<StreamEntry[]> {
    // Asked for before the connection blocks: what comes after a blocking command waits for it.
    this.clientId ??= await this.redis.client('ID');
    if (this.closing) return [];
    const waitMs = isQuiet() ? quietBlockMs : blockMs;
    const block = waits ? ['BLOCK', waitMs] : [];
    try {
      const answer = await this.orReconnect(
        waitMs + patienceMs,
        this.redis.call(
          'xreadgroup',
          ...['GROUP', this.group, consumer, 'COUNT', count, ...block, 'NOACK'],
          ...['STREAMS', ...streams, ...streams.map(() => '>')],
        ) as Promise<[string, [string, string[]][]][] | null>,
      );
      return (answer ?? []).flatMap(([stream, entries]) =>
        entries.map(([id, fields]) => ({ stream, id, fields })),
      );
    } catch (error) {
      if (!String(error).includes('NOGROUP')) throw error;
      // First start, or Redis lost everything: begin at 0, so that what was added since is seen.
      await this.createGroups(streams);
      this.tellLoss();
      return [];
    }
  }

  /**
   * A peer that vanished without a word leaves a blocked read waiting for ever. Reconnecting sends it again, so
   * it is watched until it ends.
   */
  private async orReconnect<T>(silenceMs: number, read: Promise<T>): Promise<T> {
    const timer = setInterval(() => {
      if (!this.closing) this.redis.disconnect(true);
    }, silenceMs).unref();
    try {
      return await read;
    } finally {
      clearInterval(timer);
    }
  }
}

/** Redis answers with names and values in turn. */
function fieldsOf(list: readonly unknown[]): Record<string, unknown> {
  return Object.fromEntries(
    Array.from({ length: list.length / 2 }, (_, n) => [String(list[2 * n]), list[2 * n + 1]]),
  );
}
