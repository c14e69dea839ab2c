import { newId, Transactions } from '@aos/persistence';
import { Inject, Injectable } from '@nestjs/common';
import { renewed } from './deliveries.repository.js';
import { moveCounts } from './delivery-counts.sql.js';
import type { DeliveryReplayEntity } from './delivery.entities.js';

export type WantedReplay = Pick<
  DeliveryReplayEntity,
  'team_id' | 'target_id' | 'since' | 'until' | 'only_dead'
>;

/** Ids of events begin with the time when they were made; that of the event itself may be a moment off. */
const idSlackMs = 60_000;

@Injectable()
export class ReplaysRepository {
  constructor(@Inject(Transactions) private readonly transactions: Transactions) {}

  async insert({ team_id, target_id, since, until, only_dead }: WantedReplay): Promise<string> {
    const id = newId();
    await this.transactions.query(
      `INSERT INTO delivery_replay (id, team_id, target_id, since, until, only_dead)
       VALUES ($1, $2, $3, $4, $5, $6)`,
      [id, team_id, target_id, since, until, only_dead],
    );
    return id;
  }

  /** The one after the given one that nobody else carries out, in turns, locked until the transaction ends. */
  async next(after: string, except: readonly string[]): Promise<DeliveryReplayEntity | undefined> {
    const [row] = await this.transactions.query<DeliveryReplayEntity>(
      `SELECT * FROM delivery_replay WHERE id <> ALL ($2::uuid[])
        ORDER BY id <= $1, id LIMIT 1 FOR UPDATE SKIP LOCKED`,
      [after, except],
    );
    return row;
  }

  /**
   * Renews the next deliveries of a replay; the id of the last one looked at, undefined if that were all. Those that
   * are pending are not locked: whoever stores their outcomes locks them in another order.
   */
  async renewSome(replay: DeliveryReplayEntity, limit: number): Promise<string | undefined> {
    const { target_id, since, until, only_dead, after_event_id } = replay;
    const [row] = await this.transactions.query<{ last: string | null; looked_at: string }>(
      `WITH page AS (
         SELECT target_id, event_id FROM delivery
          WHERE target_id = $1 AND event_id > COALESCE($2::uuid, $3::uuid) AND event_id < $4::uuid
          ORDER BY event_id LIMIT $8),
       chosen AS (
         SELECT d.target_id, d.event_id, d.status FROM page JOIN delivery d USING (target_id, event_id)
          WHERE d.created_at >= $5 AND d.created_at < $6
            AND CASE WHEN $7 THEN d.status = 'dead' ELSE d.status IN ('delivered', 'dead', 'skipped') END
            FOR UPDATE OF d),
       counted AS (${moveCounts(`
         SELECT target_id, status, -1 AS change FROM chosen UNION ALL SELECT target_id, 'pending', 1 FROM chosen`)}),
       changed AS (
         UPDATE delivery d SET ${renewed} FROM chosen
          WHERE d.target_id = chosen.target_id AND d.event_id = chosen.event_id)
       SELECT (SELECT event_id FROM page ORDER BY event_id DESC LIMIT 1) AS last, (SELECT count(*) FROM page) AS looked_at`,
      [
        target_id,
        after_event_id,
        firstIdAt(since.getTime() - idSlackMs),
        firstIdAt(until.getTime() + idSlackMs),
        since,
        until,
        only_dead,
        limit,
      ],
    );
    return Number(row!.looked_at) < limit ? undefined : row!.last!;
  }

  async moveTo(id: string, afterEventId: string): Promise<void> {
    await this.transactions.query('UPDATE delivery_replay SET after_event_id = $2 WHERE id = $1', [
      id,
      afterEventId,
    ]);
  }

  async delete(id: string): Promise<void> {
    await this.transactions.query('DELETE FROM delivery_replay WHERE id = $1', [id]);
  }
}

/** The least id that an event of this moment can have. */
function firstIdAt(ms: number): string {
  const hex = Math.max(0, ms).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}
