-- Written by `npm run sql`; do not edit.

-- storeEvents (src/feed/feed-intake.sql.ts)
WITH input AS MATERIALIZED (
  SELECT * FROM jsonb_to_recordset($1::jsonb) AS i(
    n int, id uuid, event text, team_id uuid, body text, created_at timestamptz(3), traceparent text,
    run_id uuid, callback_run uuid, callback_url text, callback_queue uuid)),
  teams AS (
    SELECT grouped.team_id, grouped.events, counted.webhooks
      FROM (SELECT team_id, count(*) AS events FROM input GROUP BY team_id) AS grouped
     CROSS JOIN LATERAL (
       SELECT count(*) AS webhooks FROM (
         SELECT FROM webhook_subscription s WHERE s.team_id = grouped.team_id LIMIT $2 + 1) AS first_ones) AS counted),
  judged AS MATERIALIZED (
    SELECT team_id, events, webhooks > $2
        OR sum(events * webhooks) FILTER (WHERE webhooks <= $2) OVER (ORDER BY events * webhooks, team_id) > $3 AS too_many
      FROM teams),
  heads AS (
    INSERT INTO feed_head AS h (team_id, position, behind)
    SELECT team_id, events, too_many FROM judged ORDER BY team_id
    ON CONFLICT (team_id) DO UPDATE
      SET position = h.position + excluded.position, behind = h.behind OR excluded.behind
    RETURNING team_id, position, behind),
  placed AS MATERIALIZED (
    SELECT input.*, heads.behind,
           heads.position + 1 - row_number() OVER (PARTITION BY input.team_id ORDER BY n DESC) AS position
      FROM input JOIN heads USING (team_id)),
  stored AS (
    INSERT INTO feed_event (team_id, position, id, event, body, created_at, traceparent)
    SELECT p.team_id, position, id, event,
           CASE WHEN gone.run_id IS NULL THEN body
                ELSE json_build_object('id', id, 'event', event, 'created_at', body::json -> 'created_at',
           'data', json_build_object('run_id', p.run_id, 'deleted', true))::text END,
           created_at, traceparent
      FROM placed p LEFT JOIN deleted_run gone ON gone.run_id = p.run_id),
  left_behind AS (
    INSERT INTO feed_fanout (team_id, position)
    SELECT team_id, heads.position - judged.events FROM heads JOIN judged USING (team_id) WHERE heads.behind
    ON CONFLICT (team_id) DO NOTHING),
  wanted AS (
    SELECT s.id AS target_id, placed.id AS event_id, placed.team_id, placed.position, s.id AS queue_id,
           s.id AS subscription_id, placed.event, NULL AS url,
           CASE WHEN s.enabled THEN 'pending' ELSE 'skipped' END AS status, placed.created_at
      FROM placed JOIN webhook_subscription s ON s.team_id = placed.team_id AND placed.event = ANY (s.events)
     WHERE NOT placed.behind
    UNION ALL
    SELECT callback_run, id, team_id, position, callback_queue, NULL, event, callback_url, 'pending', created_at
      FROM placed WHERE callback_url IS NOT NULL),
  
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
SELECT id, wakes, team_id FROM woken
UNION ALL SELECT NULL, NULL, team_id FROM heads WHERE behind;
