/** An event goes a day after its deliveries, so that whatever is to be sent is there. $1: days, $2: how many. */
export const oldestEvents = `
  SELECT ctid FROM feed_event WHERE created_at < now() - make_interval(days => $1 + 1) ORDER BY created_at LIMIT $2`;

/** A set: a batch of events. */
export const pruneEvents = `
  WITH gone AS (
    DELETE FROM feed_event WHERE ctid = ANY (ARRAY(${oldestEvents})) RETURNING 1)
  SELECT count(*) FROM gone`;
