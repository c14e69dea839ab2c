/**
 * The end of the statement that stores attempts: what they mean for their webhooks. It reads the rows of `changed`
 * (target_id, subscription_id, n in the order of their ends, ok, gone, ended_at); $2: after how many milliseconds of
 * failures a webhook is disabled. A set: attempts of many webhooks.
 */
export const noteOutcomes = `
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
