import type { BusEvent, LogEpoch } from '@aos/contracts';
import { isStoreUnavailable, type PreparedStatements, type Transactions } from '@aos/persistence';
import { isoTime } from '@aos/platform';
import type { OutboxEpochs } from './outbox-epochs.js';
import {
  endsOfLog,
  eventsAfter,
  lockHead,
  numberEvents,
  outboxLag,
  pruneBatches,
  pruneEvents,
  stateOfLog,
} from './outbox.sql.js';

interface EventRow {
  /** Of its batch: they grow with time, but not in the order of commits. */
  readonly number: string;
  readonly id: string;
  readonly position: string;
  readonly event: string;
  readonly team_id: string | null;
  readonly run_seq: number | null;
  /** Null if it is too large to be given with its number. */
  readonly data: Record<string, unknown> | null;
  readonly meta: { run_seq?: number; callback_url?: string; traceparent?: string };
  readonly created_at: Date;
}

interface Head {
  readonly head: string;
  readonly epoch: string | null;
}

/** What comes after a position. */
export interface EventsAfter {
  readonly events: BusEvent[];
  /** The lowest position that is still kept. */
  readonly oldest: number | null;
  readonly more: boolean;
  readonly epoch: string | undefined;
  readonly epochs?: LogEpoch[];
}

/**
 * Behind the newest numbered batch nearly all are numbered: their dead entries in the index of the others are not read
 * again each time. A batch that was committed late, further back than this, is found by the next look at everything.
 */
const lookedAtAgain = 5_000;
const lookAtAllEveryMs = 2_000;

/** A service's events as an ordered log: committed rows get the positions 1, 2, 3 … without a gap. */
export class OutboxLog {
  private newest = 0;
  private lookedAtAllAt = -Infinity;
  /** The highest head that this process has seen since it began an epoch; undefined: it has yet to begin one. */
  private seenHead: number | undefined;

  constructor(
    private readonly transactions: Transactions,
    private readonly statements: PreparedStatements,
    private readonly epochs: OutboxEpochs,
    private readonly service: string,
  ) {}

  /** Whether `number` has something to do. To number is a commit even if there is nothing; to ask is none. */
  async needsNumbering(): Promise<boolean> {
    if (this.seenHead === undefined) return true;
    const [state] = await this.noticingLoss(() =>
      this.transactions.query<Pick<Head, 'head'> & { readonly waits: boolean }>(stateOfLog),
    );
    const head = Number(state!.head);
    // Undefined if another look has lost the database meanwhile.
    if (this.seenHead === undefined || head < this.seenHead) return true;
    // What others have numbered is not numbered again by this one if the log loses it.
    this.seenHead = head;
    return state!.waits;
  }

  /**
   * Numbers what has been committed since and returns it. One replica at a time: the head's row is the lock. The
   * statements travel together and are one transaction; the last has a snapshot of its own, younger than the lock.
   *
   * A process begins an epoch before it first numbers, after it had lost the database, and when it finds the head
   * behind where it was: each time the tables may be those of a backup.
   */
  async number(limit: number): Promise<BusEvent[]> {
    return this.noticingLoss(async () => {
      if (this.seenHead === undefined) await this.beginEpoch();
      let rows = await this.numberRows(limit);
      if (!rows) {
        await this.beginEpoch();
        rows = await this.numberRows(limit);
      }
      return (rows ?? []).map((row) => this.toBusEvent(row, row.epoch));
    });
  }

  private async noticingLoss<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (isStoreUnavailable(error)) this.seenHead = undefined;
      throw error;
    }
  }

  private async beginEpoch(): Promise<void> {
    await this.epochs.begin();
    this.seenHead = 0;
  }

  /** Undefined if the head is behind where it was. */
  private async numberRows(limit: number): Promise<(EventRow & Head)[] | undefined> {
    const [, rows] = await this.statements.writeTogether<(EventRow & Head) | (Head & { number: null })>([
      { sql: lockHead, parameters: [] },
      { sql: numberEvents, parameters: [this.seenHead!, this.looksBehind(), limit] },
    ]);
    if (!rows?.length) return undefined;
    const numbered = rows.filter((row): row is EventRow & Head => row.number !== null);
    this.seenHead = Number(rows[0]!.head) + numbered.length;
    this.newest = Math.max(this.newest, ...numbered.map(({ number }) => Number(number)));
    return numbered;
  }

  private looksBehind(): number {
    const now = performance.now();
    if (now - this.lookedAtAllAt < lookAtAllEveryMs) return Math.max(0, this.newest - lookedAtAgain);
    this.lookedAtAllAt = now;
    return 0;
  }

  /**
   * What comes after a position, and the lowest position that is still kept. The epoch is read after the events: they
   * belong to it or to one before. A consumer that follows the present epoch and is beyond its head saw the log go back
   * where no process of this service did.
   */
  async after(position: number, limit: number, asked?: string): Promise<EventsAfter> {
    const rows = await this.transactions.query<EventRow & { page_rows: number }>(eventsAfter, [
      position,
      limit,
    ]);
    const found = rows[0]?.page_rows ?? 0;
    let { oldest, head, epoch } = await this.ends();
    if (epoch === null || (epoch === asked && position > Number(head))) {
      await this.epochs.begin();
      ({ oldest, head, epoch } = await this.ends());
    }
    return {
      events: rows.map((row) => this.toBusEvent(row)),
      oldest: oldest === null ? null : Number(oldest),
      more: found === limit || found > rows.length,
      epoch: epoch ?? undefined,
      epochs: epoch === asked ? undefined : await this.epochs.list(),
    };
  }

  /** How long the oldest event waits to be numbered. */
  async lagSeconds(): Promise<number> {
    const [row] = await this.transactions.query<{ seconds: number | null }>(outboxLag);
    return row!.seconds ?? 0;
  }

  private async ends(): Promise<Head & { readonly oldest: string | null }> {
    const [ends] = await this.transactions.query<Head & { readonly oldest: string | null }>(endsOfLog);
    return ends!;
  }

  /**
   * Takes the oldest out of the log, those that are older than any consumer should lag. Positions grow with time, so it
   * looks no further than the first younger one: a log of millions is not read for nothing. Events are deleted by a
   * statement of their own, whose snapshot is younger than the lock on their batches: it sees which have lost their run.
   */
  async prune(olderThanHours: number): Promise<number> {
    return this.transactions.run(async () => {
      const gone = await this.transactions.query<{ id: string }>(pruneBatches, [olderThanHours]);
      if (gone.length > 0) await this.transactions.query(pruneEvents, [gone.map(({ id }) => id)]);
      return gone.length;
    });
  }

  private toBusEvent(row: EventRow, epoch?: string | null): BusEvent {
    return {
      id: row.id,
      event: row.event,
      created_at: isoTime(row.created_at),
      data: row.data ?? {},
      meta: {
        ...row.meta,
        team_id: row.team_id,
        source: this.service,
        position: Number(row.position),
        epoch: epoch ?? undefined,
        run_seq: row.run_seq ?? undefined,
        without_data: row.data === null ? true : undefined,
      },
    };
  }
}
