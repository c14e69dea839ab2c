-- Written by `npm run sql`; do not edit.

-- pruneDead (src/inbox/dead-events.sql.ts)
WITH oldest AS MATERIALIZED (
  SELECT id, created_at FROM dead_event ORDER BY id LIMIT 100 FOR UPDATE SKIP LOCKED)
DELETE FROM dead_event USING oldest
 WHERE dead_event.id = oldest.id AND oldest.created_at < now() - make_interval(days => $1)
RETURNING event ->> 'id' AS id, event ->> 'event' AS event;
