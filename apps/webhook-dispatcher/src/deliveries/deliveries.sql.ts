import { moveCounts } from './delivery-counts.sql.js';

/** Resets a delivery to its first attempt. */
export const renewed = `status = 'pending', next_attempt_at = now(), attempts_before = attempts`;

/** One statement: a delivery, its body and its attempts of the same moment. $1: team, $2: target, $3: event. */
export const findWholeDelivery = `
  SELECT a.*, f.body, d.* FROM delivery d
    JOIN feed_event f ON f.team_id = d.team_id AND f.position = d.position
    LEFT JOIN delivery_attempt a ON a.target_id = d.target_id AND a.event_id = d.event_id
   WHERE d.target_id = $2 AND d.event_id = $3 AND d.team_id = $1 ORDER BY a.number`;

/** One statement, since the counts move with the status. $1: team, $2: target, $3: event. */
export const renewDelivery = `
  WITH before AS (
    SELECT target_id, event_id, status, url FROM delivery
     WHERE target_id = $2 AND event_id = $3 AND team_id = $1 FOR UPDATE),
  counted AS (${moveCounts(`
    SELECT target_id, status, -1 AS change FROM before WHERE url IS NULL
    UNION ALL SELECT target_id, 'pending', 1 FROM before WHERE url IS NULL`)})
  UPDATE delivery d SET ${renewed} FROM before
   WHERE d.target_id = before.target_id AND d.event_id = before.event_id RETURNING d.*`;

/**
 * A page and its total, both of the same moment. `total`: where the total is counted; $1: team, $2: target, $3: limit,
 * $4: offset, $5: the status, if one is asked for.
 */
export function pageOfDeliveries(total: string, withStatus: boolean): string {
  const wanted = `d.target_id = $2 ${withStatus ? 'AND d.status = $5' : ''}`;
  return `
    SELECT page.*, COALESCE(counted.total, 0) AS total FROM (${total} WHERE ${wanted}) AS counted(total)
      LEFT JOIN LATERAL (
        SELECT * FROM delivery d WHERE ${wanted} AND d.team_id = $1
         ORDER BY d.event_id DESC LIMIT $3 OFFSET $4) AS page ON true`;
}

/** They may be many, so the total comes from the counters. */
export const countedDeliveries = 'SELECT sum(deliveries) FROM delivery_count AS d';

/** They are few. */
export const fewDeliveries = 'SELECT count(*) FROM delivery AS d';
