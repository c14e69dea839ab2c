-- Written by `npm run sql`; do not edit.

-- settleDeliveries (src/deliveries/settle-deliveries.sql.ts)
  WITH chosen AS (
    SELECT d.target_id, d.event_id FROM endpoint_queue l JOIN delivery d ON d.queue_id = l.id
     WHERE l.id = $1 AND l.lease_token = $2 AND d.status = 'pending' LIMIT $4),
  settled AS (
    UPDATE delivery d SET status = $3, next_attempt_at = NULL FROM chosen
     WHERE d.target_id = chosen.target_id AND d.event_id = chosen.event_id AND d.status = 'pending'
    RETURNING d.target_id),
  counted AS (
    INSERT INTO delivery_count AS c (target_id, status, deliveries)
    SELECT target_id, status, sum(change) FROM (
    SELECT target_id, 'pending' AS status, -1 AS change FROM settled
    UNION ALL SELECT target_id, $3, 1 FROM settled) AS changes
     GROUP BY target_id, status HAVING sum(change) <> 0 ORDER BY target_id, status
    ON CONFLICT (target_id, status) DO UPDATE SET deliveries = c.deliveries + excluded.deliveries)
  SELECT count(*) FROM settled;
