import { noteOutcomes } from '../subscriptions/note-outcomes.sql.js';
import { meterDeliveries } from '../delivery-meter/delivery-meter.sql.js';
import { moveCounts } from './delivery-counts.sql.js';

/**
 * Stores attempts and what they mean: for their deliveries, for the counts, for their webhooks. $1: an array of outcomes
 * in the order of their ends, with the time since each end: Postgres alone tells what time it is; $2: after how many milliseconds of failures a webhook is disabled. Only the process
 * that has the lease of the queue may write.
 */
export const storeOutcomes = `
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
  counted AS (${moveCounts(`
    SELECT target_id, 'pending' AS status, -1 AS change FROM changed
     WHERE status <> 'pending' AND subscription_id IS NOT NULL
    UNION ALL
    SELECT target_id, status, 1 FROM changed WHERE status <> 'pending' AND subscription_id IS NOT NULL`)}),
  metered AS (${meterDeliveries('SELECT team_id FROM changed WHERE ok')}),
  ${noteOutcomes}`;
