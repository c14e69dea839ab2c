-- Written by `npm run sql`; do not edit.

-- pruneEvents (src/feed/prune-feed.sql.ts)
  WITH gone AS (
    DELETE FROM feed_event WHERE ctid = ANY (ARRAY(
  SELECT ctid FROM feed_event WHERE created_at < now() - make_interval(days => $1 + 1) ORDER BY created_at LIMIT $2)) RETURNING 1)
  SELECT count(*) FROM gone;
