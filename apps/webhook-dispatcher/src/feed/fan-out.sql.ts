import { newDeliveries } from '../deliveries/new-deliveries.sql.js';

/** Whether any team is served from its feed. */
export const anyTeamToServe = 'SELECT FROM feed_fanout';

/** A queue: the team that has waited longest and that no other process serves. $1: those that rest. */
export const nextTeam = `
  SELECT team_id, position FROM feed_fanout WHERE team_id <> ALL ($1::uuid[])
   ORDER BY served_at NULLS FIRST LIMIT 1 FOR UPDATE SKIP LOCKED`;

/**
 * A set. How far to go: as many events as have no more receivers together than a statement may serve, one at least. $1: team,
 * $2: after which position, $3: events at most, $4: deliveries at most.
 */
export const measureFanOut = `
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

/** A set. $1: team, $2: after which position, $3: up to which. A webhook gets nothing from before it, give or take clocks. */
export const makeDeliveries = `
  WITH wanted AS MATERIALIZED (
    SELECT s.id AS target_id, f.id AS event_id, f.team_id, f.position, s.id AS queue_id, s.id AS subscription_id,
           f.event, NULL AS url, CASE WHEN s.enabled THEN 'pending' ELSE 'skipped' END AS status, f.created_at
      FROM feed_event f JOIN webhook_subscription s
        ON s.team_id = f.team_id AND f.event = ANY (s.events) AND s.created_at < f.created_at + interval '1 minute'
     WHERE f.team_id = $1 AND f.position > $2 AND f.position <= $3
       AND NOT EXISTS (SELECT FROM delivery d WHERE d.target_id = s.id AND d.event_id = f.id)),
  ${newDeliveries}
  SELECT id, wakes, team_id FROM woken`;

/** Hot: with each batch. $1: team, $2: position. */
export const moveFanOut =
  'UPDATE feed_fanout SET position = $2, served_at = clock_timestamp() WHERE team_id = $1';

/** Hot: events come in under the same lock. $1: team. */
export const lockHead = 'SELECT position FROM feed_head WHERE team_id = $1 FOR UPDATE';

/** Compare-and-set: nothing came meanwhile. $1: team, $2: the head's position. */
export const endFanOut = 'DELETE FROM feed_fanout WHERE team_id = $1 AND position = $2 RETURNING team_id';

/** Hot, under the lock of the head. $1: team. */
export const catchUpHead = 'UPDATE feed_head SET behind = false WHERE team_id = $1';
