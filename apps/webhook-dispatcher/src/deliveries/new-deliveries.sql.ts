import { wakeQueues } from '../endpoint-queues/endpoint-queues.sql.js';
import { moveCounts } from './delivery-counts.sql.js';

/**
 * Makes a delivery of each row of `wanted` (target_id, event_id, team_id, position, queue_id, subscription_id, event, url,
 * status, created_at) and gives as `woken` the queues that have something to send, each with its count of wakes.
 *
 * What comes later in a feed is due later, also if its transaction began sooner: the clock is read under the lock that
 * gives the order.
 */
export const newDeliveries = `
  made AS (
    INSERT INTO delivery (target_id, event_id, team_id, position, queue_id, event, url, status, attempts,
                          attempts_before, next_attempt_at, created_at)
    SELECT target_id, event_id, team_id, position, queue_id, event, url, status, 0, 0,
           CASE WHEN status = 'pending' THEN date_trunc('milliseconds', clock_timestamp()) END, created_at
      FROM wanted ORDER BY position),
  counted AS (${moveCounts(
    'SELECT target_id, status, 1 AS change FROM wanted WHERE subscription_id IS NOT NULL',
  )}),
  woken AS (${wakeQueues(
    `SELECT DISTINCT ON (queue_id) queue_id, team_id, subscription_id, now(), 1, now()
       FROM wanted WHERE status = 'pending' ORDER BY queue_id`,
    'LEAST(l.due_at, excluded.due_at)',
  )})`;
