import { moveCounts } from '../deliveries/delivery-counts.sql.js';

/**
 * Stores events in the feeds of their teams and a delivery for each receiver, in one statement. $1: an array of events
 * in order. Returns the lanes that have something to send, each with its count of wakes.
 *
 * The heads stay locked until the commit, which makes the positions of a team visible in their order.
 */
export const storeEvents = `
WITH input AS MATERIALIZED (
  SELECT * FROM jsonb_to_recordset($1::jsonb) AS i(
    n int, id uuid, event text, team_id uuid, body text, created_at timestamptz(3),
    callback_run uuid, callback_url text, callback_lane uuid)),
  heads AS (
    INSERT INTO feed_head AS h (team_id, position)
    SELECT team_id, count(*) FROM input GROUP BY team_id ORDER BY team_id
    ON CONFLICT (team_id) DO UPDATE SET position = h.position + excluded.position
    RETURNING team_id, position),
  placed AS MATERIALIZED (
    SELECT input.*, heads.position + 1 - row_number() OVER (PARTITION BY input.team_id ORDER BY n DESC) AS position
      FROM input JOIN heads USING (team_id)),
  stored AS (
    INSERT INTO feed_event (team_id, position, id, event, body, created_at)
    SELECT team_id, position, id, event, body, created_at FROM placed),
  wanted AS (
    SELECT s.id AS target_id, placed.id AS event_id, placed.team_id, placed.position, s.id AS lane_id,
           s.id AS subscription_id, placed.event, NULL AS url,
           CASE WHEN s.enabled THEN 'pending' ELSE 'skipped' END AS status, placed.created_at
      FROM placed JOIN webhook_subscription s ON s.team_id = placed.team_id AND placed.event = ANY (s.events)
    UNION ALL
    SELECT callback_run, id, team_id, position, callback_lane, NULL, event, callback_url, 'pending', created_at
      FROM placed WHERE callback_url IS NOT NULL),
  made AS (
    INSERT INTO delivery (target_id, event_id, team_id, position, lane_id, event, url, status, attempts,
                          attempts_before, next_attempt_at, created_at)
    SELECT target_id, event_id, team_id, position, lane_id, event, url, status, 0, 0,
           CASE WHEN status = 'pending' THEN now() END, created_at
      FROM wanted ORDER BY position),
  counted AS (${moveCounts(
    'SELECT target_id, status, 1 AS change FROM wanted WHERE subscription_id IS NOT NULL',
  )})
INSERT INTO delivery_lane AS l (id, team_id, subscription_id, due_at, wakes, used_at)
SELECT DISTINCT ON (lane_id) lane_id, team_id, subscription_id, now(), 1, now()
  FROM wanted WHERE status = 'pending' ORDER BY lane_id
ON CONFLICT (id) DO UPDATE
  SET due_at = LEAST(l.due_at, excluded.due_at), wakes = l.wakes + 1, used_at = excluded.used_at
RETURNING l.id, l.wakes`;
