import { Transactions } from '@aos/persistence';
import { Inject, Injectable } from '@nestjs/common';
import { newDeliveries } from '../deliveries/new-deliveries.sql.js';
import type { WokenLane } from '../endpoint-queues/lanes.repository.js';

/** A team whose deliveries to webhooks are made up to a position of its feed. */
export interface FanOutCursor {
  readonly team_id: string;
  readonly position: string;
}

/** How far one statement goes: events that are looked at, deliveries that are made. */
export interface FanOutLimits {
  readonly events: number;
  readonly deliveries: number;
}

/**
 * How far to go: as many events as have no more receivers together than a statement may serve, one at least. $1: team,
 * $2: after which position, $3: events at most, $4: deliveries at most.
 */
const measureSql = `
  WITH wanted AS (
    SELECT of.event, count(*) AS webhooks FROM webhook_subscription s CROSS JOIN unnest(s.events) AS of(event)
     WHERE s.team_id = $1 GROUP BY of.event),
  page AS (
    SELECT position, event FROM feed_event WHERE team_id = $1 AND position > $2 ORDER BY position LIMIT $3),
  summed AS (
    SELECT position, sum(COALESCE(webhooks, 0)) OVER (ORDER BY position) AS deliveries
      FROM page LEFT JOIN wanted USING (event))
  SELECT max(position) AS position FROM summed
   WHERE deliveries <= $4 OR position = (SELECT min(position) FROM page)`;

/** $1: team, $2: after which position, $3: up to which. A webhook is not told what was before it, give or take clocks. */
const makeSql = `
  WITH wanted AS MATERIALIZED (
    SELECT s.id AS target_id, f.id AS event_id, f.team_id, f.position, s.id AS lane_id, s.id AS subscription_id,
           f.event, NULL AS url, CASE WHEN s.enabled THEN 'pending' ELSE 'skipped' END AS status, f.created_at
      FROM feed_event f JOIN webhook_subscription s
        ON s.team_id = f.team_id AND f.event = ANY (s.events) AND s.created_at < f.created_at + interval '1 minute'
     WHERE f.team_id = $1 AND f.position > $2 AND f.position <= $3
       AND NOT EXISTS (SELECT FROM delivery d WHERE d.target_id = s.id AND d.event_id = f.id)),
  ${newDeliveries}
  SELECT id, wakes, team_id FROM woken`;

/** How far the deliveries of teams with many webhooks are made. */
@Injectable()
export class FanOutRepository {
  constructor(@Inject(Transactions) private readonly transactions: Transactions) {}

  /** The team that has waited longest and that nobody else serves, locked until the transaction ends. */
  async next(except: readonly string[]): Promise<FanOutCursor | undefined> {
    const [row] = await this.transactions.query<FanOutCursor>(
      `SELECT team_id, position FROM feed_fanout WHERE team_id <> ALL ($1::uuid[])
        ORDER BY served_at NULLS FIRST LIMIT 1 FOR UPDATE SKIP LOCKED`,
      [except],
    );
    return row;
  }

  /** The position to go to; undefined if there is nothing after the cursor. */
  async measure(
    { team_id, position }: FanOutCursor,
    { events, deliveries }: FanOutLimits,
  ): Promise<string | undefined> {
    const [row] = await this.transactions.query<{ position: string | null }>(measureSql, [
      team_id,
      position,
      events,
      deliveries,
    ]);
    return row!.position ?? undefined;
  }

  make({ team_id, position }: FanOutCursor, to: string): Promise<WokenLane[]> {
    return this.transactions.query<WokenLane>(makeSql, [team_id, position, to]);
  }

  /** Behind all others who wait. */
  async moveTo(teamId: string, position: string): Promise<void> {
    await this.transactions.query(
      'UPDATE feed_fanout SET position = $2, served_at = clock_timestamp() WHERE team_id = $1',
      [teamId, position],
    );
  }

  /** Inside a transaction; false if something came meanwhile. Locks in the order in which events come in. */
  async finish(teamId: string): Promise<boolean> {
    const [head] = await this.transactions.query<{ position: string }>(
      'SELECT position FROM feed_head WHERE team_id = $1 FOR UPDATE',
      [teamId],
    );
    const gone = await this.transactions.query(
      'DELETE FROM feed_fanout WHERE team_id = $1 AND position = $2 RETURNING team_id',
      [teamId, head?.position],
    );
    if (gone.length === 0) return false;
    await this.transactions.query('UPDATE feed_head SET behind = false WHERE team_id = $1', [teamId]);
    return true;
  }
}
