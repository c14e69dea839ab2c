/** Lanes of callbacks come with each host; of deleted webhooks nothing is left to send. */
export const pruneLanes = `
  WITH gone AS (
    DELETE FROM delivery_lane WHERE id IN (
      SELECT l.id FROM delivery_lane l LEFT JOIN webhook_subscription s ON s.id = l.subscription_id
       WHERE s.id IS NULL AND l.due_at IS NULL AND l.lease_token IS NULL AND l.used_at < now() - interval '1 day'
       LIMIT $2 FOR UPDATE OF l SKIP LOCKED)
    AND $1 > 0 RETURNING 1)
  SELECT count(*) FROM gone`;
