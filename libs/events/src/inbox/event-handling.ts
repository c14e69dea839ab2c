import { setTimeout as delay } from 'node:timers/promises';
import { AppError, errorCatalogue, type BusEvent } from '@aos/contracts';
import { isStatementTimeout, isStoreUnavailable, type Transactions } from '@aos/persistence';
import type { Logger } from '@aos/platform';
import type { EventStatement } from './consumes.js';
import { UnknownEvent, type EventDispatch } from './event-dispatch.js';
import { PositionTaken, type EventPositions, type FollowedLog } from './event-positions.js';
import { makeTogether } from './gathered-statements.js';

/** How far this replica has got in one log; moves with each commit. */
export interface Cursor extends FollowedLog {
  position: number;
}

export interface EventHandlingOptions {
  readonly replica: string;
  readonly transactions: Transactions;
  readonly positions: EventPositions;
  readonly dispatch: EventDispatch;
  readonly logger: Logger;
}

const maxAttempts = 5;
const firstRetryMs = 200;
/** A row or table that an event needs may be locked for this long: by a change of the schema, or an open session. */
const maxLockedMs = 5 * 60_000;

/**
 * Gives events to their handlers, and moves the position in the transaction of the effects. An event that cannot
 * be handled is set aside and retried later, so that the others go on. Faults that pass by themselves, and the
 * loss of the position to another replica, are thrown.
 */
export class EventHandling {
  /** The event of each log that has run into the time limit of its statements, and since when it does. */
  private readonly slow = new Map<string, { readonly id: string; readonly since: number }>();

  constructor(private readonly options: EventHandlingOptions) {}

  /** Handles events in order: all in one transaction, or one by one if that fails. */
  async handle(cursor: Cursor, events: readonly BusEvent[], stopping: AbortSignal): Promise<void> {
    try {
      await this.commit(cursor, events);
    } catch (error) {
      if (error instanceof PositionTaken || passesByItself(error)) throw error;
      for (const event of events) {
        if (stopping.aborted) return;
        await this.handleAlone(cursor, event, stopping);
      }
    }
  }

  /** Tries one again that could not be handled and is due; false if there is none. */
  async retryDead(): Promise<boolean> {
    const { transactions, positions, dispatch } = this.options;
    if (!(await positions.isDeadDue())) return false;
    return transactions.run(async () => {
      const dead = await positions.takeDueDead();
      if (!dead) return false;
      try {
        await transactions.savepoint(() =>
          dispatch.dispatch([dead.event], (statement) => this.perform(statement)),
        );
        await positions.settleDead(dead.id);
      } catch (error) {
        await positions.postponeDead(dead.id, String(error), dead.attempts + 1);
      }
      return true;
    });
  }

  private async handleAlone(cursor: Cursor, event: BusEvent, stopping: AbortSignal): Promise<void> {
    for (let attempt = 1; !stopping.aborted; attempt += 1) {
      try {
        return await this.commit(cursor, [event]);
      } catch (error) {
        if (error instanceof PositionTaken || passesByItself(error)) throw error;
        // The statement waits for a lock, which is no fault of the event: set aside, it would lose its order.
        if (isStatementTimeout(error) && this.slowForMs(event) < maxLockedMs) throw error;
        if (attempt === maxAttempts) return this.deadLetter(cursor, event, error);
        // Ends early when the process wants to end.
        await delay(firstRetryMs * 2 ** (attempt - 1), undefined, { signal: stopping }).catch(
          () => undefined,
        );
      }
    }
  }

  private slowForMs({ id, meta }: BusEvent): number {
    const now = performance.now();
    const known = this.slow.get(meta.source);
    if (known?.id === id) return now - known.since;
    this.slow.set(meta.source, { id, since: now });
    return 0;
  }

  private async commit(cursor: Cursor, events: readonly BusEvent[]): Promise<void> {
    const isByStatement =
      this.options.dispatch.isByStatement(events) && doubtful(cursor, events).length === 0;
    const unknown = await (isByStatement
      ? this.commitStatements(cursor, events)
      : this.commitTransaction(cursor, events));
    cursor.position = events.at(-1)!.meta.position;
    for (const event of unknown) this.note(event, new UnknownEvent(event.event));
  }

  /** Runs the handlers in one transaction; returns the events that this version does not know. */
  private async commitTransaction(cursor: Cursor, events: readonly BusEvent[]): Promise<readonly BusEvent[]> {
    const { transactions, dispatch } = this.options;
    return transactions.run(async () => {
      const fresh = await this.unhandled(cursor, events);
      await this.advance(cursor, events);
      await dispatch.dispatch(
        fresh.filter((event) => dispatch.knows(event)),
        (statement) => this.perform(statement),
      );
      const others = fresh.filter((event) => !dispatch.knows(event));
      await this.keepForLater(others);
      return others;
    });
  }

  /** Sends the statements of all handlers and the move of the position in one round trip. */
  private async commitStatements(cursor: Cursor, events: readonly BusEvent[]): Promise<readonly BusEvent[]> {
    const { dispatch, positions, replica } = this.options;
    await makeTogether(dispatch.handlersOf(events), async (statements) => {
      const made = await positions.advanceWith(cursor, replica, events, statements);
      statements.forEach((statement, index) => this.tell(statement, made[index]!));
    });
    return [];
  }

  private async perform(statement: EventStatement): Promise<void> {
    const { transactions } = this.options;
    const rows = await transactions.query(statement.sql, [...statement.parameters]);
    transactions.afterCommit(() => this.tell(statement, rows));
  }

  /** A failing callback does not undo a commit. */
  private tell({ committed }: EventStatement, rows: readonly unknown[]): void {
    try {
      committed?.(rows as never[]);
    } catch (error) {
      this.options.logger.error({ err: error }, 'work after a batch of events failed');
    }
  }

  /** Leaves out events that were handled before the log went back. */
  private async unhandled(cursor: Cursor, events: readonly BusEvent[]): Promise<readonly BusEvent[]> {
    const inDoubt = doubtful(cursor, events);
    if (inDoubt.length === 0) return events;
    const handled = await this.options.positions.handled(cursor.source, inDoubt);
    return events.filter(({ id }) => !handled.has(id));
  }

  /** While versions are exchanged a newer one records events that this one does not know: its successor will handle it. */
  private async keepForLater(unknown: readonly BusEvent[]): Promise<void> {
    for (const event of unknown) {
      await this.options.positions.deadLetter(event, String(new UnknownEvent(event.event)), 1);
    }
  }

  private async deadLetter(cursor: Cursor, event: BusEvent, error: unknown): Promise<void> {
    const { transactions, positions } = this.options;
    await transactions.run(async () => {
      await this.advance(cursor, [event]);
      await positions.deadLetter(event, String(error), maxAttempts);
    });
    cursor.position = event.meta.position;
    this.note(event, error);
  }

  private note({ event, id, meta }: BusEvent, error: unknown): void {
    this.options.logger.error(
      { err: error, event, event_id: id, source: meta.source },
      'an event could not be handled',
    );
  }

  private async advance(cursor: Cursor, events: readonly BusEvent[]): Promise<void> {
    const { positions, replica } = this.options;
    await positions.advance(cursor, replica, events);
  }
}

/**
 * A restored log numbers again what its backup held without a number. What was recorded before the consumer started over
 * may have been handled: its id tells.
 */
function doubtful({ startedOverAt }: Cursor, events: readonly BusEvent[]): readonly BusEvent[] {
  return startedOverAt === null ? [] : events.filter(({ created_at: at }) => at <= startedOverAt);
}

/** Not the event's fault: trying again later is enough. */
function passesByItself(error: unknown): boolean {
  return isStoreUnavailable(error) || (error instanceof AppError && errorCatalogue[error.code].retryable);
}
