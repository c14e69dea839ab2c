/** Queues of callbacks come with each host; of deleted webhooks nothing is left to send. */
export const pruneQueues = `
  WITH gone AS (
    DELETE FROM endpoint_queue WHERE id IN (
      SELECT l.id FROM endpoint_queue l LEFT JOIN webhook_subscription s ON s.id = l.subscription_id
       WHERE s.id IS NULL AND l.due_at IS NULL AND l.lease_token IS NULL AND l.used_at < now() - interval '1 day'
       LIMIT $2 FOR UPDATE OF l SKIP LOCKED)
    AND $1 > 0 RETURNING 1)
  SELECT count(*) FROM gone`;
