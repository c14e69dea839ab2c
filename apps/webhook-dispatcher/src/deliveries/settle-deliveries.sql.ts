import { moveCounts } from './delivery-counts.sql.js';

/**
 * Gives pending deliveries of a queue their end, with their counts. A set: thousands may wait for a webhook that is
 * disabled. $1: the queue, $2: the token of its lease, $3: the end, $4: how many at most.
 */
export const settleDeliveries = `
  WITH chosen AS (
    SELECT d.target_id, d.event_id FROM endpoint_queue l JOIN delivery d ON d.queue_id = l.id
     WHERE l.id = $1 AND l.lease_token = $2 AND d.status = 'pending' LIMIT $4),
  settled AS (
    UPDATE delivery d SET status = $3, next_attempt_at = NULL FROM chosen
     WHERE d.target_id = chosen.target_id AND d.event_id = chosen.event_id AND d.status = 'pending'
    RETURNING d.target_id),
  counted AS (${moveCounts(`
    SELECT target_id, 'pending' AS status, -1 AS change FROM settled
    UNION ALL SELECT target_id, $3, 1 FROM settled`)})
  SELECT count(*) FROM settled`;
