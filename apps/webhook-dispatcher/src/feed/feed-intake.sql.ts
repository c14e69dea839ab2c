import { newDeliveries } from '../deliveries/new-deliveries.sql.js';
import { emptiedBody } from './emptied-events.sql.js';

/**
 * Stores events in the feeds of their teams with the deliveries to callbacks, and those to webhooks as far as they are
 * few, in one statement. $1: an array of events in order; $2: a team with more webhooks is served by the fan-out; $3:
 * deliveries to webhooks that one statement makes at most, those of the smallest teams first. A team that the fan-out
 * has not done with is left to it too, so that its events stay in order. Returns the queues that have something to send,
 * and the teams that are left to the fan-out.
 *
 * An event that comes after its run was deleted says nothing any more.
 *
 * The heads stay locked until the commit, which makes the positions of a team visible in their order.
 */
export const storeEvents = `
WITH input AS MATERIALIZED (
  SELECT * FROM jsonb_to_recordset($1::jsonb) AS i(
    n int, id uuid, event text, team_id uuid, body text, created_at timestamptz(3), traceparent text,
    run_id uuid, callback_run uuid, callback_url text, callback_queue uuid)),
  teams AS (
    SELECT grouped.team_id, grouped.events, counted.webhooks
      FROM (SELECT team_id, count(*) AS events FROM input GROUP BY team_id) AS grouped
     CROSS JOIN LATERAL (
       SELECT count(*) AS webhooks FROM (
         SELECT FROM webhook_subscription s WHERE s.team_id = grouped.team_id LIMIT $2 + 1) AS first_ones) AS counted),
  judged AS MATERIALIZED (
    SELECT team_id, events, webhooks > $2
        OR sum(events * webhooks) FILTER (WHERE webhooks <= $2) OVER (ORDER BY events * webhooks, team_id) > $3 AS too_many
      FROM teams),
  heads AS (
    INSERT INTO feed_head AS h (team_id, position, behind)
    SELECT team_id, events, too_many FROM judged ORDER BY team_id
    ON CONFLICT (team_id) DO UPDATE
      SET position = h.position + excluded.position, behind = h.behind OR excluded.behind
    RETURNING team_id, position, behind),
  placed AS MATERIALIZED (
    SELECT input.*, heads.behind,
           heads.position + 1 - row_number() OVER (PARTITION BY input.team_id ORDER BY n DESC) AS position
      FROM input JOIN heads USING (team_id)),
  stored AS (
    INSERT INTO feed_event (team_id, position, id, event, body, created_at, traceparent)
    SELECT p.team_id, position, id, event,
           CASE WHEN gone.run_id IS NULL THEN body
                ELSE ${emptiedBody({ id: 'id', event: 'event', body: 'body', runId: 'p.run_id' })} END,
           created_at, traceparent
      FROM placed p LEFT JOIN deleted_run gone ON gone.run_id = p.run_id),
  left_behind AS (
    INSERT INTO feed_fanout (team_id, position)
    SELECT team_id, heads.position - judged.events FROM heads JOIN judged USING (team_id) WHERE heads.behind
    ON CONFLICT (team_id) DO NOTHING),
  wanted AS (
    SELECT s.id AS target_id, placed.id AS event_id, placed.team_id, placed.position, s.id AS queue_id,
           s.id AS subscription_id, placed.event, NULL AS url,
           CASE WHEN s.enabled THEN 'pending' ELSE 'skipped' END AS status, placed.created_at
      FROM placed JOIN webhook_subscription s ON s.team_id = placed.team_id AND placed.event = ANY (s.events)
     WHERE NOT placed.behind
    UNION ALL
    SELECT callback_run, id, team_id, position, callback_queue, NULL, event, callback_url, 'pending', created_at
      FROM placed WHERE callback_url IS NOT NULL),
  ${newDeliveries}
SELECT id, wakes, team_id FROM woken
UNION ALL SELECT NULL, NULL, team_id FROM heads WHERE behind`;
