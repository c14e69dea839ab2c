-- Written by `npm run sql`; do not edit.

-- pruneDeliveries (src/deliveries/prune-deliveries.sql.ts)
  WITH gone AS (
    DELETE FROM delivery WHERE ctid = ANY (ARRAY(
  SELECT ctid FROM delivery WHERE created_at < now() - make_interval(days => $1) ORDER BY created_at LIMIT $2))
    RETURNING target_id, event_id, status, url),
  attempts AS (
    DELETE FROM delivery_attempt a USING gone WHERE a.target_id = gone.target_id AND a.event_id = gone.event_id),
  counted AS (
    INSERT INTO delivery_count AS c (target_id, status, deliveries)
    SELECT target_id, status, sum(change) FROM (SELECT target_id, status, -1 AS change FROM gone WHERE url IS NULL) AS changes
     GROUP BY target_id, status HAVING sum(change) <> 0 ORDER BY target_id, status
    ON CONFLICT (target_id, status) DO UPDATE SET deliveries = c.deliveries + excluded.deliveries)
  SELECT count(*) FROM gone;
