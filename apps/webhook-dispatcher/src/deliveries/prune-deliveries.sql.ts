import { moveCounts } from './delivery-counts.sql.js';

/** The oldest first, by the index: what is not removed is not read, wherever updates have moved rows. */
export const oldestDeliveries = `
  SELECT ctid FROM delivery WHERE created_at < now() - make_interval(days => $1) ORDER BY created_at LIMIT $2`;

/** A set: a batch of deliveries with their attempts and their counts. */
export const pruneDeliveries = `
  WITH gone AS (
    DELETE FROM delivery WHERE ctid = ANY (ARRAY(${oldestDeliveries}))
    RETURNING target_id, event_id, status, url),
  attempts AS (
    DELETE FROM delivery_attempt a USING gone WHERE a.target_id = gone.target_id AND a.event_id = gone.event_id),
  counted AS (${moveCounts('SELECT target_id, status, -1 AS change FROM gone WHERE url IS NULL')})
  SELECT count(*) FROM gone`;
