import type { BusEvent, LogEpoch } from '@aos/contracts';
import { newId } from '../new-id.js';
import type { Transactions } from '../transactions/transactions.js';
import { resumeAt } from './resume-at.js';

const leaseSeconds = 15;
const firstRetryMinutes = 1;
const maxRetryMinutes = 60;
const pruneBatch = 100;
const pruneHandledBatch = 1_000;

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
export class EventPositions {
  constructor(private readonly transactions: Transactions) {}

  /** Takes or renews the right to follow a source; one replica has it at a time. */
  async acquire(source: string, owner: string): Promise<FollowedLog | undefined> {
    await this.transactions.query(
      'INSERT INTO event_position (source, position) VALUES ($1, 0) ON CONFLICT (source) DO NOTHING',
      [source],
    );
    // Where a version without epochs has moved the position, it may belong to any.
    const [row] = await this.transactions.query<PositionRow>(
      `UPDATE event_position SET lease_owner = $2, lease_until = now() + interval '${leaseSeconds} seconds',
              epoch = CASE WHEN epoch_position = position THEN epoch END
        WHERE source = $1 AND (lease_owner = $2 OR lease_until IS NULL OR lease_until < now())
       RETURNING position, epoch, started_over_at`,
      [source, owner],
    );
    return row && toFollowedLog(source, row);
  }

  /**
   * Moves on inside the transaction of the effects. Compare-and-set: a replica that lost the lease finds another
   * position or epoch, and all it did is undone.
   */
  async advance(from: LogPosition, owner: string, events: readonly BusEvent[]): Promise<void> {
    const rows = await this.transactions.query(
      `WITH moved AS (
         UPDATE event_position SET position = $5, epoch_position = $5,
                lease_owner = $2, lease_until = now() + interval '${leaseSeconds} seconds'
          WHERE source = $1 AND position = $3 AND epoch IS NOT DISTINCT FROM $4 RETURNING 1)
       INSERT INTO handled_event_batch (source, ids, created_at) SELECT $1, $6, now() FROM moved RETURNING 1`,
      [
        from.source,
        owner,
        from.position,
        from.epoch,
        events.at(-1)!.meta.position,
        events.map(({ id }) => id),
      ],
    );
    if (rows.length === 0) throw new PositionTaken(from.source, from.position);
  }

  /** Goes on in another epoch of the log, at the position that `resume` gives for the epochs known so far. */
  async adopt(
    from: LogPosition,
    { owner, epoch, epochs }: { owner: string; epoch: string | null; epochs: readonly LogEpoch[] },
  ): Promise<FollowedLog> {
    return this.transactions.run(async () => {
      const known = from.epoch === null ? new Set<string>() : await this.knownEpochs(from.source);
      const position = resumeAt(from.position, known, epochs);
      const [row] = await this.transactions.query<PositionRow>(
        `UPDATE event_position SET position = $5, epoch_position = $5, epoch = $6,
                lease_owner = $2, lease_until = now() + interval '${leaseSeconds} seconds',
                started_over_at = CASE WHEN $5 < position THEN now() ELSE started_over_at END
          WHERE source = $1 AND position = $3 AND epoch IS NOT DISTINCT FROM $4
         RETURNING position, epoch, started_over_at`,
        [from.source, owner, from.position, from.epoch, position, epoch],
      );
      if (!row) throw new PositionTaken(from.source, from.position);
      await this.transactions.query('DELETE FROM event_epoch WHERE source = $1', [from.source]);
      await this.transactions.query('INSERT INTO event_epoch (source, epoch) SELECT $1, unnest($2::uuid[])', [
        from.source,
        epochs.map((one) => one.epoch),
      ]);
      return toFollowedLog(from.source, row);
    });
  }

  /** Which of these events were handled before the log went back, as their ids tell. */
  async handled(source: string, events: readonly BusEvent[]): Promise<ReadonlySet<string>> {
    const rows = await this.transactions.query<{ id: string }>(
      `SELECT id FROM handled_event_batch, unnest(ids) AS id
        WHERE source = $1 AND ids && $2::uuid[] AND id = ANY ($2::uuid[])`,
      [source, events.map(({ id }) => id)],
    );
    return new Set(rows.map(({ id }) => id));
  }

  async pruneHandled(olderThanHours: number): Promise<number> {
    const [gone] = await this.transactions.query<{ count: string }>(
      `WITH oldest AS (SELECT seq, created_at FROM handled_event_batch ORDER BY seq LIMIT ${pruneHandledBatch}),
       gone AS (
         DELETE FROM handled_event_batch AS h USING oldest
          WHERE h.seq = oldest.seq AND oldest.created_at < now() - make_interval(hours => $1) RETURNING 1)
       SELECT count(*) FROM gone`,
      [olderThanHours],
    );
    return Number(gone!.count);
  }

  private async knownEpochs(source: string): Promise<ReadonlySet<string>> {
    const rows = await this.transactions.query<{ epoch: string }>(
      'SELECT epoch FROM event_epoch WHERE source = $1',
      [source],
    );
    return new Set(rows.map(({ epoch }) => epoch));
  }

  async release(owner: string): Promise<void> {
    await this.transactions.query(
      'UPDATE event_position SET lease_owner = NULL, lease_until = NULL WHERE lease_owner = $1',
      [owner],
    );
  }

  async deadLetter(event: BusEvent, error: string, attempts: number): Promise<void> {
    await this.transactions.query(
      `INSERT INTO dead_event (id, source, position, event, error, attempts, next_attempt_at, created_at)
       VALUES ($1, $2, $3, $4, $5, $6, now() + make_interval(mins => $7), now())`,
      [
        newId(),
        event.meta.source,
        event.meta.position,
        JSON.stringify(event),
        error,
        attempts,
        firstRetryMinutes,
      ],
    );
  }

  /** One dead event that is due again, locked until the transaction ends. */
  async takeDueDead(): Promise<(DeadEvent & { readonly id: string }) | undefined> {
    const [row] = await this.transactions.query<{ id: string; event: BusEvent; attempts: number }>(
      `SELECT id, event, attempts FROM dead_event WHERE next_attempt_at <= now()
        ORDER BY next_attempt_at LIMIT 1 FOR UPDATE SKIP LOCKED`,
    );
    return row;
  }

  async settleDead(id: string): Promise<void> {
    await this.transactions.query('DELETE FROM dead_event WHERE id = $1', [id]);
  }

  async postponeDead(id: string, error: string, attempts: number): Promise<void> {
    const minutes = Math.min(firstRetryMinutes * 2 ** Math.min(attempts, 20), maxRetryMinutes);
    await this.transactions.query(
      `UPDATE dead_event SET error = $2, attempts = $3, next_attempt_at = now() + make_interval(mins => $4)
        WHERE id = $1`,
      [id, error, attempts, minutes],
    );
  }

  /** Gives up a batch of those that could not be handled for long; ids grow with time. */
  async pruneDead(olderThanDays: number): Promise<Pick<BusEvent, 'id' | 'event'>[]> {
    return this.transactions.query(
      `WITH oldest AS MATERIALIZED (
         SELECT id, created_at FROM dead_event ORDER BY id LIMIT ${pruneBatch} FOR UPDATE SKIP LOCKED)
       DELETE FROM dead_event USING oldest
        WHERE dead_event.id = oldest.id AND oldest.created_at < now() - make_interval(days => $1)
       RETURNING event ->> 'id' AS id, event ->> 'event' AS event`,
      [olderThanDays],
    );
  }

  async countDead(): Promise<number> {
    const [row] = await this.transactions.query<{ count: string }>('SELECT count(*) FROM dead_event');
    return Number(row!.count);
  }
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
