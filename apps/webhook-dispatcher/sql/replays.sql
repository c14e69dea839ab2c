-- Written by `npm run sql`; do not edit.

-- renewSomeDeliveries (src/deliveries/replays.sql.ts)
  WITH page AS (
    SELECT target_id, event_id FROM delivery
     WHERE target_id = $1 AND event_id > COALESCE($2::uuid, $3::uuid) AND event_id < $4::uuid
     ORDER BY event_id LIMIT $8),
  chosen AS (
    SELECT d.target_id, d.event_id, d.status FROM page JOIN delivery d USING (target_id, event_id)
     WHERE d.created_at >= $5 AND d.created_at < $6
       AND CASE WHEN $7 THEN d.status = 'dead' ELSE d.status IN ('delivered', 'dead', 'skipped') END
       FOR UPDATE OF d),
  counted AS (
    INSERT INTO delivery_count AS c (target_id, status, deliveries)
    SELECT target_id, status, sum(change) FROM (
    SELECT target_id, status, -1 AS change FROM chosen UNION ALL SELECT target_id, 'pending', 1 FROM chosen) AS changes
     GROUP BY target_id, status HAVING sum(change) <> 0 ORDER BY target_id, status
    ON CONFLICT (target_id, status) DO UPDATE SET deliveries = c.deliveries + excluded.deliveries),
  changed AS (
    UPDATE delivery d SET status = 'pending', next_attempt_at = now(), attempts_before = attempts FROM chosen
     WHERE d.target_id = chosen.target_id AND d.event_id = chosen.event_id)
  SELECT (SELECT event_id FROM page ORDER BY event_id DESC LIMIT 1) AS last, (SELECT count(*) FROM page) AS looked_at;
