import { moveCounts } from './delivery-counts.sql.js';
import { renewed } from './deliveries.sql.js';

/** Whether there is any replay that is not over. */
export const anyReplay = 'SELECT FROM delivery_replay';

/** A queue: the replay after the given one that no other process carries out, in turns. $1: after, $2: those that rest. */
export const nextReplay = `
  SELECT * FROM delivery_replay WHERE id <> ALL ($2::uuid[])
   ORDER BY id <= $1, id LIMIT 1 FOR UPDATE SKIP LOCKED`;

/**
 * A set: renews the next deliveries of a replay, with their counts. $1: webhook, $2: after which event, $3 and $4: ids of
 * the time, $5 and $6: the time, $7: only dead ones, $8: how many to look at.
 */
export const renewSomeDeliveries = `
  WITH page AS (
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
  SELECT (SELECT event_id FROM page ORDER BY event_id DESC LIMIT 1) AS last, (SELECT count(*) FROM page) AS looked_at`;
