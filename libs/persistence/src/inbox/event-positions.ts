import type { BusEvent } from '@aos/contracts';
import { newId } from '../new-id.js';
import type { Transactions } from '../transactions/transactions.js';

const leaseSeconds = 15;
const firstRetryMinutes = 1;
const maxRetryMinutes = 60;
const pruneBatch = 100;

export interface DeadEvent {
  readonly event: BusEvent;
  readonly attempts: number;
}

/** How far a service has got in each log it follows, and the events it could not handle. */
export class EventPositions {
  constructor(private readonly transactions: Transactions) {}

  /** Takes or renews the right to follow a source; one replica has it at a time. */
  async acquire(source: string, owner: string): Promise<number | undefined> {
    await this.transactions.query(
      'INSERT INTO event_position (source, position) VALUES ($1, 0) ON CONFLICT (source) DO NOTHING',
      [source],
    );
    const [row] = await this.transactions.query<{ position: string }>(
      `UPDATE event_position SET lease_owner = $2, lease_until = now() + interval '${leaseSeconds} seconds'
        WHERE source = $1 AND (lease_owner = $2 OR lease_until IS NULL OR lease_until < now())
       RETURNING position`,
      [source, owner],
    );
    return row ? Number(row.position) : undefined;
  }

  /**
   * Moves on inside the transaction of the effects. Compare-and-set: whoever lost the lease finds another
   * position, and all it did is undone.
   */
  async advance(source: string, owner: string, from: number, to: number): Promise<void> {
    const rows = await this.transactions.query(
      `UPDATE event_position SET position = $4, lease_owner = $2, lease_until = now() + interval '${leaseSeconds} seconds'
        WHERE source = $1 AND position = $3 RETURNING 1`,
      [source, owner, from, to],
    );
    if (rows.length === 0) throw new PositionTaken(source, from);
  }

  async release(owner: string): Promise<void> {
    await this.transactions.query(
      'UPDATE event_position SET lease_owner = NULL, lease_until = NULL WHERE lease_owner = $1',
      [owner],
    );
  }

  async bury(event: BusEvent, error: string, attempts: number): Promise<void> {
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
  async exhume(): Promise<(DeadEvent & { readonly id: string }) | undefined> {
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

/** Another replica has handled these events. */
export class PositionTaken extends Error {
  override readonly name = 'PositionTaken';

  constructor(source: string, position: number) {
    super(`The position ${position} of ${source} was taken by another replica`);
  }
}
