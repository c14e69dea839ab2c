-- Written by `npm run sql`; do not edit.

-- makeDeliveries (src/feed/fan-out.sql.ts)
  WITH wanted AS MATERIALIZED (
    SELECT s.id AS target_id, f.id AS event_id, f.team_id, f.position, s.id AS queue_id, s.id AS subscription_id,
           f.event, NULL AS url, CASE WHEN s.enabled THEN 'pending' ELSE 'skipped' END AS status, f.created_at
      FROM feed_event f JOIN webhook_subscription s
        ON s.team_id = f.team_id AND f.event = ANY (s.events) AND s.created_at < f.created_at + interval '1 minute'
     WHERE f.team_id = $1 AND f.position > $2 AND f.position <= $3
       AND NOT EXISTS (SELECT FROM delivery d WHERE d.target_id = s.id AND d.event_id = f.id)),
  
  made AS (
    INSERT INTO delivery (target_id, event_id, team_id, position, queue_id, event, url, status, attempts,
                          attempts_before, next_attempt_at, created_at)
    SELECT target_id, event_id, team_id, position, queue_id, event, url, status, 0, 0,
           CASE WHEN status = 'pending' THEN date_trunc('milliseconds', clock_timestamp()) END, created_at
      FROM wanted ORDER BY position),
  counted AS (
    INSERT INTO delivery_count AS c (target_id, status, deliveries)
    SELECT target_id, status, sum(change) FROM (SELECT target_id, status, 1 AS change FROM wanted WHERE subscription_id IS NOT NULL) AS changes
     GROUP BY target_id, status HAVING sum(change) <> 0 ORDER BY target_id, status
    ON CONFLICT (target_id, status) DO UPDATE SET deliveries = c.deliveries + excluded.deliveries),
  woken AS (
    INSERT INTO endpoint_queue AS l (id, team_id, subscription_id, due_at, wakes, used_at)
    SELECT DISTINCT ON (queue_id) queue_id, team_id, subscription_id, now(), 1, now()
       FROM wanted WHERE status = 'pending' ORDER BY queue_id
    ON CONFLICT (id) DO UPDATE SET due_at = LEAST(l.due_at, excluded.due_at), wakes = l.wakes + 1, used_at = excluded.used_at
    RETURNING l.id, l.wakes, l.team_id)
  SELECT id, wakes, team_id FROM woken;
