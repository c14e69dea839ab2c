import { AppError, errorCatalogue, pullEvents, type BusEvent } from '@aos/contracts';
import type { EventStreamReader, ServiceClient } from '@aos/messaging';
import type { Logger } from '@aos/platform';
import { isStoreUnavailable } from '../pg-errors.js';
import type { Transactions } from '../transactions/transactions.js';
import { WakeableLoop } from '../wakeable-loop.js';
import type { EventDispatch } from './event-dispatch.js';
import { PositionTaken, type EventPositions } from './event-positions.js';

export interface EventConsumerOptions {
  /** The services whose logs are followed. */
  readonly sources: readonly string[];
  readonly replica: string;
  readonly reader: EventStreamReader;
  readonly client: ServiceClient;
  readonly transactions: Transactions;
  readonly positions: EventPositions;
  readonly dispatch: EventDispatch;
  readonly logger: Logger;
  readonly catchUpEveryMs?: number;
}

const batchSize = 200;
const maxAttempts = 5;
const firstRetryMs = 200;

/**
 * Follows the logs of other services. The position moves in the transaction of the effects, so an event has its
 * effect once; Redis only brings it sooner, and what it does not bring is pulled from the owner.
 */
export class EventConsumer {
  private readonly at = new Map<string, number>();
  private readonly following: WakeableLoop;
  private readonly catchingUp: WakeableLoop;
  private busy: Promise<unknown> = Promise.resolve();
  private stopping = false;

  constructor(private readonly options: EventConsumerOptions) {
    const { logger } = options;
    this.following = new WakeableLoop({
      name: 'the event reader',
      work: () => this.follow(),
      idleMs: 500,
      logger,
    });
    this.catchingUp = new WakeableLoop({
      name: 'the event catch-up',
      work: () => this.catchUpAll(),
      idleMs: options.catchUpEveryMs ?? 5_000,
      logger,
    });
  }

  start(): void {
    if (this.options.sources.length === 0) return;
    this.catchingUp.start();
    this.following.start();
  }

  async stop(): Promise<void> {
    this.stopping = true;
    await this.options.reader.close();
    await Promise.all([this.following.stop(), this.catchingUp.stop()]);
    this.options.reader.disconnect();
    await this.options.positions.release(this.options.replica).catch(() => undefined);
  }

  private async follow(): Promise<boolean> {
    const sources = [...this.at.keys()];
    if (sources.length === 0) return false;
    const events = await this.options.reader.read(sources, batchSize);
    for (const source of sources) {
      const ofSource = events.filter((event) => event.meta.source === source);
      if (ofSource.length > 0) await this.exclusively(() => this.take(source, ofSource));
    }
    return !this.stopping;
  }

  private async catchUpAll(): Promise<boolean> {
    for (const source of this.options.sources) {
      await this.exclusively(() => this.catchUp(source)).catch((error: unknown) => {
        this.options.logger.warn({ err: error, source }, 'catching up with events failed');
      });
    }
    await this.exclusively(() => this.retryDead());
    this.following.wake();
    return false;
  }

  /** Takes or renews the lease and pulls what is missing. */
  private async catchUp(source: string): Promise<void> {
    const position = await this.options.positions.acquire(source, this.options.replica);
    if (position === undefined) {
      this.at.delete(source);
      return;
    }
    this.at.set(source, position);
    await this.pull(source);
  }

  private async take(source: string, events: readonly BusEvent[]): Promise<void> {
    const at = this.at.get(source);
    if (at === undefined) return;
    const fresh = events
      .filter((event) => event.meta.position > at)
      .sort((a, b) => a.meta.position - b.meta.position);
    const inOrder = fresh.filter((event, index) => event.meta.position === at + index + 1);
    if (inOrder.length > 0) await this.handle(source, inOrder);
    if (inOrder.length < fresh.length) await this.pull(source);
  }

  private async pull(source: string): Promise<void> {
    while (!this.stopping) {
      const at = this.at.get(source);
      if (at === undefined) return;
      const request = { after: at, limit: batchSize };
      const { events, oldest } = await this.options.client.call(pullEvents, request, { service: source });
      if (events.length === 0) return;
      if (oldest !== null && oldest > at + 1) {
        this.options.logger.error(
          { source, from: at + 1, to: oldest - 1 },
          'events were removed before they were consumed',
        );
      }
      await this.handle(source, events);
      if (events.length < batchSize) return;
    }
  }

  /** Handles events in order: all in one transaction, or one by one if that fails. */
  private async handle(source: string, events: readonly BusEvent[]): Promise<void> {
    try {
      await this.commit(source, events);
    } catch (error) {
      if (error instanceof PositionTaken) this.at.delete(source);
      else if (events.length > 1 && !isPassing(error))
        for (const event of events) await this.handleAlone(source, event);
      else if (events.length === 1) await this.handleAlone(source, events[0]!);
      else throw error;
    }
  }

  private async handleAlone(source: string, event: BusEvent): Promise<void> {
    for (let attempt = 1; !this.stopping && this.at.has(source);) {
      try {
        return await this.commit(source, [event]);
      } catch (error) {
        if (error instanceof PositionTaken) {
          this.at.delete(source);
          return;
        }
        if (!isPassing(error)) attempt += 1;
        if (attempt > maxAttempts) return this.bury(source, event, error);
        await new Promise((resolve) => setTimeout(resolve, firstRetryMs * 2 ** (attempt - 1)));
      }
    }
  }

  private async commit(source: string, events: readonly BusEvent[]): Promise<void> {
    const from = this.at.get(source)!;
    const to = events.at(-1)!.meta.position;
    await this.options.transactions.run(async () => {
      await this.options.positions.advance(source, this.options.replica, from, to);
      await this.options.dispatch.dispatch(events);
    });
    this.at.set(source, to);
  }

  private async bury(source: string, event: BusEvent, error: unknown): Promise<void> {
    const { transactions, positions, replica, logger } = this.options;
    await transactions.run(async () => {
      await positions.advance(source, replica, this.at.get(source)!, event.meta.position);
      await positions.bury(event, String(error), maxAttempts);
    });
    this.at.set(source, event.meta.position);
    logger.error(
      { err: error, event: event.event, event_id: event.id, source },
      'an event could not be handled',
    );
  }

  private async retryDead(): Promise<void> {
    const { transactions, positions, dispatch } = this.options;
    for (let more = true; more && !this.stopping;) {
      more = await transactions.run(async () => {
        const dead = await positions.exhume();
        if (!dead) return false;
        try {
          await transactions.savepoint(() => dispatch.dispatch([dead.event]));
          await positions.settleDead(dead.id);
        } catch (error) {
          await positions.postponeDead(dead.id, String(error), dead.attempts + 1);
        }
        return true;
      });
    }
  }

  /** Reader and catch-up take turns: both move the same positions. */
  private exclusively<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.busy.then(work);
    this.busy = turn.catch(() => undefined);
    return turn;
  }
}

/** Not the event's fault: trying again later is enough. */
function isPassing(error: unknown): boolean {
  return isStoreUnavailable(error) || (error instanceof AppError && errorCatalogue[error.code].retryable);
}
