import type { BusEvent, LogEpoch } from '@aos/contracts';
import { isNullViolation, newId, PreparedStatements, Transactions, type Statement } from '@aos/persistence';
import { Injectable } from '@nestjs/common';
import {
  addDead,
  countDead,
  dueDead,
  isDeadDue,
  postponeDead,
  pruneDead,
  settleDead,
} from './dead-events.sql.js';
import {
  acquirePosition,
  addEpochs,
  adoptEpoch,
  advancePosition,
  forgetEpochs,
  handledBatches,
  handledEvents,
  knownEpochs,
  pruneHandled,
  releasePositions,
} from './event-positions.sql.js';
import { resumeAt } from './resume-at.js';

const firstRetryMinutes = 1;
const maxRetryMinutes = 60;

/** A place in a log. */
export interface LogPosition {
  readonly source: string;
  readonly position: number;
  readonly epoch: string | null;
}

/** How far a service has got in a log. */
export interface FollowedLog extends LogPosition {
  /** When the log was last found to have gone back: of the events before, some may have been handled. */
  readonly startedOverAt: string | null;
}

interface PositionRow {
  readonly position: string;
  readonly epoch: string | null;
  readonly started_over_at: Date | null;
}

export interface DeadEvent {
  readonly event: BusEvent;
  readonly attempts: number;
}

/** How far a service has got in each log it follows, and the events it could not handle. */
@Injectable()
export class EventPositions {
  constructor(
    private readonly transactions: Transactions,
    private readonly statements: PreparedStatements,
  ) {}

  /** Takes or renews the right to follow a source; one replica has it at a time. */
  async acquire(source: string, owner: string): Promise<FollowedLog | undefined> {
    const [row] = await this.transactions.query<PositionRow>(acquirePosition, [source, owner]);
    return row && toFollowedLog(source, row);
  }

  /**
   * Moves on inside the transaction of the effects. Compare-and-set: a replica that lost the lease finds another
   * position or epoch, and all it did is undone.
   */
  async advance(from: LogPosition, owner: string, events: readonly BusEvent[]): Promise<void> {
    const { sql, parameters } = advancing(from, owner, events);
    try {
      await this.transactions.query(sql, [...parameters]);
    } catch (error) {
      throw asPositionTaken(error, from);
    }
  }

  /** The same in one round trip with statements that are the effects. Gives the rows of each. */
  async advanceWith(
    from: LogPosition,
    owner: string,
    events: readonly BusEvent[],
    effects: readonly Statement[],
  ): Promise<unknown[][]> {
    try {
      const [, ...made] = await this.statements.writeTogether([advancing(from, owner, events), ...effects]);
      return made;
    } catch (error) {
      throw asPositionTaken(error, from);
    }
  }

  /** Goes on in another epoch of the log, at the position that `resume` gives for the epochs known so far. */
  async adopt(
    from: LogPosition,
    { owner, epoch, epochs }: { owner: string; epoch: string | null; epochs: readonly LogEpoch[] },
  ): Promise<FollowedLog> {
    return this.transactions.run(async () => {
      const known = from.epoch === null ? new Set<string>() : await this.knownEpochs(from.source);
      const position = resumeAt(from.position, known, epochs);
      const [row] = await this.transactions.query<PositionRow>(adoptEpoch, [
        from.source,
        owner,
        from.position,
        from.epoch,
        position,
        epoch,
      ]);
      if (!row) throw new PositionTaken(from.source, from.position);
      await this.transactions.query(forgetEpochs, [from.source]);
      await this.transactions.query(addEpochs, [from.source, epochs.map((one) => one.epoch)]);
      return toFollowedLog(from.source, row);
    });
  }

  /** Which of these events were handled before the log went back, as their ids tell. */
  async handled(source: string, events: readonly BusEvent[]): Promise<ReadonlySet<string>> {
    const rows = await this.transactions.query<{ id: string }>(handledEvents, [
      source,
      events.map(({ id }) => id),
    ]);
    return new Set(rows.map(({ id }) => id));
  }

  async pruneHandled(olderThanHours: number): Promise<number> {
    const [gone] = await this.transactions.query<{ count: string }>(pruneHandled, [olderThanHours]);
    return Number(gone!.count);
  }

  private async knownEpochs(source: string): Promise<ReadonlySet<string>> {
    const rows = await this.transactions.query<{ epoch: string }>(knownEpochs, [source]);
    return new Set(rows.map(({ epoch }) => epoch));
  }

  async release(owner: string): Promise<void> {
    await this.transactions.query(releasePositions, [owner]);
  }

  async deadLetter(event: BusEvent, error: string, attempts: number): Promise<void> {
    await this.transactions.query(addDead, [
      newId(),
      event.meta.source,
      event.meta.position,
      JSON.stringify(event),
      error,
      attempts,
      firstRetryMinutes,
    ]);
  }

  /** Asked outside of a transaction: mostly there is none. */
  async isDeadDue(): Promise<boolean> {
    const [row] = await this.transactions.query<{ due: boolean }>(isDeadDue);
    return row!.due;
  }

  /** One dead event that is due again, locked until the transaction ends. */
  async takeDueDead(): Promise<(DeadEvent & { readonly id: string }) | undefined> {
    const [row] = await this.transactions.query<{ id: string; event: BusEvent; attempts: number }>(dueDead);
    return row;
  }

  async settleDead(id: string): Promise<void> {
    await this.transactions.query(settleDead, [id]);
  }

  async postponeDead(id: string, error: string, attempts: number): Promise<void> {
    const minutes = Math.min(firstRetryMinutes * 2 ** Math.min(attempts, 20), maxRetryMinutes);
    await this.transactions.query(postponeDead, [id, error, attempts, minutes]);
  }

  /** Gives up a batch of those that could not be handled for long; ids grow with time. */
  async pruneDead(olderThanDays: number): Promise<Pick<BusEvent, 'id' | 'event'>[]> {
    return this.transactions.query(pruneDead, [olderThanDays]);
  }

  async countDead(): Promise<number> {
    const [row] = await this.transactions.query<{ count: string }>(countDead);
    return Number(row!.count);
  }
}

function advancing(from: LogPosition, owner: string, events: readonly BusEvent[]): Statement {
  const to = events.at(-1)!.meta.position;
  const ids = events.map(({ id }) => id);
  return { sql: advancePosition, parameters: [from.source, owner, from.position, from.epoch, to, ids] };
}

function asPositionTaken(error: unknown, { source, position }: LogPosition): unknown {
  return isNullViolation(error, handledBatches) ? new PositionTaken(source, position) : error;
}

function toFollowedLog(source: string, row: PositionRow): FollowedLog {
  return {
    source,
    position: Number(row.position),
    epoch: row.epoch,
    startedOverAt: row.started_over_at?.toISOString() ?? null,
  };
}

/** Another replica has handled these events. */
export class PositionTaken extends Error {
  override readonly name = 'PositionTaken';

  constructor(source: string, position: number) {
    super(`The position ${position} of ${source} was taken by another replica`);
  }
}
