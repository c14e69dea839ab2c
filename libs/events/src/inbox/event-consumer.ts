import { WakeableLoop } from '@aos/background';
import { pullEvents, type BusEvent, type LogEpoch } from '@aos/contracts';
import type { ServiceClient } from '@aos/messaging';
import { isQuiet, type Logger } from '@aos/platform';
import type { EventStreamReader } from '../streams/event-streams.js';
import type { Cursor, EventHandling } from './event-handling.js';
import { PositionTaken, type EventPositions } from './event-positions.js';

export interface EventConsumerOptions {
  /** The services whose logs are followed. */
  readonly sources: readonly string[];
  readonly replica: string;
  readonly reader: EventStreamReader;
  readonly client: ServiceClient;
  readonly positions: EventPositions;
  readonly handling: EventHandling;
  readonly logger: Logger;
  /** Called with how many events were removed before they were consumed. */
  readonly onMissed: (source: string, events: number) => void;
  /** Called with how many events came that had been handled. */
  readonly onDuplicates?: (source: string, events: number) => void;
  readonly catchUpEveryMs?: number;
  /** The least time from one batch to the next, for a service whose effects may be late. */
  readonly gatherMs?: number;
}

const batchSize = 200;
/** Each batch is a transaction; under load one serves many events. One that comes alone does not wait. */
const usualGatherMs = 25;
/** Each entry of a stream holds many events; the longer they are gathered, the more there are. */
const entriesPerMs = 0.1;
const retryDeadEveryMs = 5_000;
/** They are tried again after minutes. */
const retryDeadQuietMs = 20_000;
/** Shorter than the lease, which is renewed before each pull. */
const pullTimeoutMs = 5_000;
/** A quiet process pulls less often, as long as nothing tells it that Redis lost something. */
const quietPullMs = 30_000;

/**
 * Follows the logs of other services. The position moves in the transaction of the effects, so an event has its
 * effect once; Redis only brings it sooner, and events that Redis loses are pulled from the owner.
 */
export class EventConsumer {
  /** The logs that this replica has the lease to follow. */
  private readonly cursors = new Map<string, Cursor>();
  private readonly turns = new Map<string, Promise<unknown>>();
  private readonly following: WakeableLoop;
  /** One for each log: an owner that does not answer holds up no other. */
  private readonly catchingUp: ReadonlyMap<string, WakeableLoop>;
  private readonly retryingDead: WakeableLoop;
  private readonly ending = new AbortController();
  private readonly entriesRead: number;
  /** When each log was last pulled to its end; without an entry it is to be pulled. */
  private readonly pulledAt = new Map<string, number>();

  constructor(private readonly options: EventConsumerOptions) {
    const { logger, sources, handling, catchUpEveryMs = 5_000, gatherMs = usualGatherMs } = options;
    this.entriesRead = Math.ceil(gatherMs * entriesPerMs);
    this.following = new WakeableLoop({
      name: 'the event reader',
      work: () => this.follow(),
      idleMs: 500,
      gatherMs,
      logger,
    });
    this.catchingUp = new Map(
      sources.map((source) => {
        const work = async () => {
          await this.inTurn(source, () => this.catchUp(source));
          return false;
        };
        const name = `the catch-up with events of ${source}`;
        return [
          source,
          new WakeableLoop({ name, work, idleMs: catchUpEveryMs, quietMs: 2 * catchUpEveryMs, logger }),
        ];
      }),
    );
    this.retryingDead = new WakeableLoop({
      name: 'the retry of events',
      work: () => handling.retryDead(),
      idleMs: retryDeadEveryMs,
      quietMs: retryDeadQuietMs,
      logger,
    });
    options.reader.onLoss(() => sources.forEach((source) => this.pullSoon(source)));
  }

  start(): void {
    for (const loop of this.loops()) loop.start();
  }

  async stop(): Promise<void> {
    this.ending.abort();
    await this.options.reader.close();
    await Promise.all(this.loops().map((loop) => loop.stop()));
    this.options.reader.disconnect();
    // Otherwise the lease runs out by itself.
    await this.options.positions.release(this.options.replica).catch(() => undefined);
  }

  private loops(): WakeableLoop[] {
    return [this.following, this.retryingDead, ...this.catchingUp.values()];
  }

  private async follow(): Promise<boolean> {
    const sources = [...this.cursors.keys()];
    if (sources.length === 0) return false;
    const events = await this.options.reader.read(sources, this.entriesRead);
    await Promise.all(
      sources.map((source) => {
        const batch = events.filter((event) => event.meta.source === source);
        return batch.length > 0 ? this.takeOrCatchUp(source, batch) : undefined;
      }),
    );
    return !this.ending.signal.aborted;
  }

  /** Redis brings an event once: events that could not be handled now are pulled. */
  private async takeOrCatchUp(source: string, events: readonly BusEvent[]): Promise<void> {
    try {
      await this.inTurn(source, () => this.take(source, events));
    } catch (error) {
      this.options.logger.warn({ err: error, source }, 'handling events failed; the consumer will pull them');
      this.pullSoon(source);
    }
  }

  private pullSoon(source: string): void {
    this.pulledAt.delete(source);
    this.catchingUp.get(source)?.wake();
  }

  /** Takes or renews the lease and pulls what is missing. */
  private async catchUp(source: string): Promise<void> {
    const followed = await this.options.positions.acquire(source, this.options.replica);
    if (!followed) {
      this.cursors.delete(source);
      return;
    }
    const hasMoved = this.cursors.get(source)?.position !== followed.position;
    this.cursors.set(source, { ...followed });
    this.following.wake();
    if (!hasMoved && isQuiet() && this.wasPulledLately(source)) return;
    await this.pull(source);
    this.pulledAt.set(source, performance.now());
  }

  private wasPulledLately(source: string): boolean {
    return performance.now() - (this.pulledAt.get(source) ?? -Infinity) < quietPullMs;
  }

  private async take(source: string, events: readonly BusEvent[]): Promise<void> {
    const cursor = this.cursors.get(source);
    if (!cursor) return;
    // Positions of another epoch say nothing here: the owner says where to go on.
    const own = events.filter(({ meta }) => (meta.epoch ?? null) === cursor.epoch);
    const fresh = own
      .filter((event) => event.meta.position > cursor.position)
      .sort((a, b) => a.meta.position - b.meta.position);
    if (fresh.length < own.length) this.options.onDuplicates?.(source, own.length - fresh.length);
    const next = cursor.position + 1;
    const isNext = (event: BusEvent, index: number) =>
      event.meta.position === next + index && !event.meta.without_data;
    const firstMissing = fresh.findIndex((event, index) => !isNext(event, index));
    const inOrder = firstMissing === -1 ? fresh : fresh.slice(0, firstMissing);
    if (inOrder.length > 0) await this.options.handling.handle(cursor, inOrder, this.ending.signal);
    if (inOrder.length < fresh.length || own.length < events.length) await this.pull(source);
  }

  private async pull(source: string): Promise<void> {
    const { client, handling, logger, onMissed } = this.options;
    const { signal } = this.ending;
    for (let cursor = this.cursors.get(source); cursor && !signal.aborted;) {
      const request = { after: cursor.position, limit: batchSize, epoch: cursor.epoch ?? undefined };
      const {
        events,
        oldest,
        more = events.length === batchSize,
        epoch = null,
        epochs = [],
      } = await client.call(pullEvents, request, {
        service: source,
        timeoutMs: pullTimeoutMs,
        signal,
      });
      if (epoch !== cursor.epoch) {
        cursor = await this.adopt(cursor, epoch, epochs);
        // A replica of the version before has no epochs; its events are what follows the position, as they were then.
        if (epoch !== null) continue;
      }
      if (events.length === 0) return;
      const next = cursor.position + 1;
      await handling.handle(cursor, events, signal);
      if (oldest !== null && oldest > next) {
        logger.error({ source, from: next, to: oldest - 1 }, 'events were removed before they were consumed');
        onMissed(source, oldest - next);
      }
      if (!more) return;
    }
  }

  /** Follows another epoch of the log, from where the consumer and the log still have the same history. */
  private async adopt(from: Cursor, epoch: string | null, epochs: readonly LogEpoch[]): Promise<Cursor> {
    const { positions, replica, logger } = this.options;
    const { source, position } = from;
    const cursor: Cursor = { ...(await positions.adopt(from, { owner: replica, epoch, epochs })) };
    this.cursors.set(source, cursor);
    if (cursor.position < position) {
      logger.error(
        { source, from: cursor.position + 1, to: position },
        'the log has gone back: events that were handled are gone from it, and others have their positions now',
      );
    }
    return cursor;
  }

  /** Reader and catch-up take turns: both move the same position. */
  private inTurn(source: string, work: () => Promise<void>): Promise<void> {
    const turn = (this.turns.get(source) ?? Promise.resolve()).then(work).catch((error: unknown) => {
      // Another replica follows this log.
      if (error instanceof PositionTaken) this.cursors.delete(source);
      // A request that was given up, for instance.
      else if (!this.ending.signal.aborted) throw error;
    });
    this.turns.set(
      source,
      turn.catch(() => undefined),
    );
    return turn;
  }
}
