-- Written by `npm run sql`; do not edit.

-- storeOutcomes (src/deliveries/store-outcomes.sql.ts)
WITH input AS MATERIALIZED (
  SELECT i.*, t.ended_at, t.ended_at - duration_ms * interval '1 ms' AS attempted_at,
         t.ended_at + retry_after_ms * interval '1 ms' AS next_attempt_at
    FROM jsonb_to_recordset($1::jsonb) AS i(
      n int, queue_id uuid, token uuid, target_id uuid, event_id uuid, status text, ok boolean, gone boolean,
      retry_after_ms float8, ended_ago_ms float8, status_code int, duration_ms int, error text, response_body text),
    LATERAL (SELECT (now() - ended_ago_ms * interval '1 ms')::timestamptz(3) AS ended_at) AS t),
  leased AS (
    SELECT input.*, l.subscription_id, l.team_id FROM input JOIN endpoint_queue l ON l.id = input.queue_id AND l.lease_token = input.token),
  changed AS (
    UPDATE delivery d SET status = leased.status, attempts = d.attempts + 1, next_attempt_at = leased.next_attempt_at,
           delivered_at = CASE WHEN leased.ok THEN leased.ended_at ELSE d.delivered_at END
      FROM leased WHERE d.target_id = leased.target_id AND d.event_id = leased.event_id AND d.status = 'pending'
    RETURNING leased.*, d.attempts),
  tried AS (
    INSERT INTO delivery_attempt (target_id, event_id, number, attempted_at, status_code, duration_ms, error, response_body)
    SELECT target_id, event_id, attempts, attempted_at, status_code, duration_ms, error, response_body FROM changed),
  counted AS (
    INSERT INTO delivery_count AS c (target_id, status, deliveries)
    SELECT target_id, status, sum(change) FROM (
    SELECT target_id, 'pending' AS status, -1 AS change FROM changed
     WHERE status <> 'pending' AND subscription_id IS NOT NULL
    UNION ALL
    SELECT target_id, status, 1 FROM changed WHERE status <> 'pending' AND subscription_id IS NOT NULL) AS changes
     GROUP BY target_id, status HAVING sum(change) <> 0 ORDER BY target_id, status
    ON CONFLICT (target_id, status) DO UPDATE SET deliveries = c.deliveries + excluded.deliveries),
  metered AS (
    INSERT INTO delivery_meter AS m (team_id, delivered, reported)
    SELECT team_id, count(*), 0 FROM (SELECT team_id FROM changed WHERE ok) AS delivered GROUP BY team_id ORDER BY team_id
    ON CONFLICT (team_id) DO UPDATE SET delivered = m.delivered + excluded.delivered),
  
  summed AS (
    SELECT target_id, bool_or(ok) AS any_ok, bool_or(gone) AS gone, max(ended_at) FILTER (WHERE ok) AS last_ok_at,
           count(*) FILTER (WHERE n > last_ok) AS failures, min(ended_at) FILTER (WHERE n > last_ok) AS failing_since
      FROM (SELECT *, COALESCE(max(n) FILTER (WHERE ok) OVER (PARTITION BY target_id), -1) AS last_ok
              FROM changed WHERE subscription_id IS NOT NULL) AS ranked
     GROUP BY target_id),
  judged AS (
    SELECT summed.*, CASE WHEN any_ok THEN failures ELSE s.consecutive_failures + failures END AS in_a_row,
           CASE WHEN any_ok THEN summed.failing_since ELSE COALESCE(s.failing_since, summed.failing_since) END AS since
      FROM summed JOIN webhook_subscription s ON s.id = summed.target_id),
  ended AS (
    SELECT judged.*, CASE WHEN gone THEN 'The receiver answered with status 410.'
                          WHEN since < now() - $2 * interval '1 ms' THEN 'All deliveries have failed for a long time.'
                     END AS ending
      FROM judged)
UPDATE webhook_subscription s
   SET last_delivery_at = COALESCE(ended.last_ok_at, s.last_delivery_at),
       consecutive_failures = ended.in_a_row,
       failing_since = ended.since,
       enabled = s.enabled AND ended.ending IS NULL,
       disabled_reason = CASE WHEN s.enabled THEN ended.ending ELSE s.disabled_reason END,
       updated_at = CASE WHEN s.enabled AND ended.ending IS NOT NULL THEN now() ELSE s.updated_at END
  FROM ended WHERE s.id = ended.target_id;
