import { moveCounts } from './delivery-counts.sql.js';

/**
 * Stores attempts and what they mean: for their deliveries, for the counts, for their webhooks. $1: an array of outcomes
 * in the order of their ends; $2: after how many milliseconds of failures a webhook is disabled. Only the process
 * that has the lease of the queue may write.
 */
export const storeOutcomes = `
WITH input AS MATERIALIZED (
  SELECT * FROM jsonb_to_recordset($1::jsonb) AS i(
    n int, queue_id uuid, token uuid, target_id uuid, event_id uuid, status text, ok boolean, gone boolean,
    next_attempt_at timestamptz(3), attempted_at timestamptz(3), ended_at timestamptz(3), status_code int,
    duration_ms int, error text, response_body text)),
  leased AS (
    SELECT input.*, l.subscription_id FROM input JOIN endpoint_queue l ON l.id = input.queue_id AND l.lease_token = input.token),
  changed AS (
    UPDATE delivery d SET status = leased.status, attempts = d.attempts + 1, next_attempt_at = leased.next_attempt_at,
           delivered_at = CASE WHEN leased.ok THEN leased.ended_at ELSE d.delivered_at END
      FROM leased WHERE d.target_id = leased.target_id AND d.event_id = leased.event_id AND d.status = 'pending'
    RETURNING leased.*, d.attempts),
  tried AS (
    INSERT INTO delivery_attempt (target_id, event_id, number, attempted_at, status_code, duration_ms, error, response_body)
    SELECT target_id, event_id, attempts, attempted_at, status_code, duration_ms, error, response_body FROM changed),
  counted AS (${moveCounts(`
    SELECT target_id, 'pending' AS status, -1 AS change FROM changed
     WHERE status <> 'pending' AND subscription_id IS NOT NULL
    UNION ALL
    SELECT target_id, status, 1 FROM changed WHERE status <> 'pending' AND subscription_id IS NOT NULL`)}),
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
  FROM ended WHERE s.id = ended.target_id`;
