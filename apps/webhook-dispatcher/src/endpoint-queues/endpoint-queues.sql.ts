/** Hot. Address, secrets and deliveries are read together, just before they are used. $3: those that are under way. */
export const pageOfQueue = `
  SELECT now() AS read_at, l.wakes, l.team_id, l.subscription_id, COALESCE(s.consecutive_failures, 0) AS consecutive_failures,
         CASE WHEN l.subscription_id IS NULL OR s.enabled THEN 'active'
              WHEN s.id IS NULL THEN 'deleted' ELSE 'disabled' END AS state,
         k.sealed, k.previous_sealed, k.previous_expires_at,
         d.target_id, d.event_id, d.event, COALESCE(s.url, d.url) AS url, f.body, f.traceparent, d.attempts, d.attempts_before
    FROM endpoint_queue l
    LEFT JOIN webhook_subscription s ON s.id = l.subscription_id
    LEFT JOIN webhook_secret k ON k.team_id = l.team_id
    LEFT JOIN LATERAL (
      SELECT target_id, team_id, event_id, event, url, position, attempts, attempts_before, next_attempt_at FROM delivery
       WHERE queue_id = l.id AND status = 'pending' AND next_attempt_at <= now() AND event_id <> ALL ($3::uuid[])
       ORDER BY next_attempt_at, position LIMIT $4) AS d ON true
    LEFT JOIN feed_event f ON f.team_id = d.team_id AND f.position = d.position
   WHERE l.id = $1 AND l.lease_token = $2
   ORDER BY d.next_attempt_at, d.position`;

/** A set. The teams are found one after the other in the index, however many queues each has. */
export const overdueQueues = `
  WITH RECURSIVE team(id) AS (
    (SELECT team_id FROM endpoint_queue WHERE due_at IS NOT NULL ORDER BY team_id LIMIT 1)
    UNION ALL
    SELECT (SELECT l.team_id FROM endpoint_queue l WHERE l.due_at IS NOT NULL AND l.team_id > team.id
             ORDER BY l.team_id LIMIT 1)
      FROM team WHERE team.id IS NOT NULL)
  SELECT queue.id, queue.wakes, team.id AS team_id
    FROM team CROSS JOIN LATERAL (
      SELECT l.id, l.wakes, l.due_at, row_number() OVER (ORDER BY l.due_at) AS place FROM (
        SELECT id, wakes, due_at FROM endpoint_queue
         WHERE team_id = team.id AND due_at < now() - $1 * interval '1 ms'
           AND (lease_until IS NULL OR lease_until < now())
         ORDER BY due_at LIMIT $2) AS l) AS queue
   ORDER BY queue.place, queue.due_at LIMIT $2`;

/**
 * Something is to be sent in these queues, which are made if they are not there. `rows` gives (id, team_id,
 * subscription_id, due_at, wakes, used_at), `dueAt` when they are due if they are there. A part of statements that add
 * deliveries, too: hot, and a set.
 */
export function wakeQueues(rows: string, dueAt: 'now()' | 'LEAST(l.due_at, excluded.due_at)'): string {
  return `
    INSERT INTO endpoint_queue AS l (id, team_id, subscription_id, due_at, wakes, used_at)
    ${rows}
    ON CONFLICT (id) DO UPDATE SET due_at = ${dueAt}, wakes = l.wakes + 1, used_at = excluded.used_at
    RETURNING l.id, l.wakes, l.team_id`;
}

/** $1: queue, $2: team, $3: webhook, null for callbacks. */
export const wakeQueue = wakeQueues('VALUES ($1::uuid, $2::uuid, $3::uuid, now(), 1, now())', 'now()');

/** Hot. $1: queue, $2: token, $3: for how many milliseconds. */
export const claimQueue = `
  UPDATE endpoint_queue SET lease_token = $2, lease_until = now() + $3 * interval '1 ms'
   WHERE id = $1 AND due_at <= now() AND (lease_until IS NULL OR lease_until < now()) RETURNING id`;

/** A set: all queues that this process works on. $1: queues, $2: their tokens, $3: for how many milliseconds. */
export const renewQueues = `
  UPDATE endpoint_queue l SET lease_until = now() + $3 * interval '1 ms'
    FROM unnest($1::uuid[], $2::uuid[]) AS leased(id, token)
   WHERE l.id = leased.id AND l.lease_token = leased.token RETURNING l.id`;

/** Hot. $1: queue, $2: token, $3: the wakes that were read. */
export const releaseQueue = `
  UPDATE endpoint_queue SET lease_token = NULL, lease_until = NULL,
         due_at = (SELECT min(next_attempt_at) FROM delivery WHERE queue_id = $1 AND status = 'pending')
   WHERE id = $1 AND lease_token = $2 AND wakes = $3
  RETURNING due_at, (EXTRACT(epoch FROM due_at - now()) * 1000)::float8 AS due_in_ms`;

/** Hot. $1: queue, $2: token. */
export const giveQueueBack = `
  UPDATE endpoint_queue SET lease_token = NULL, lease_until = NULL WHERE id = $1 AND lease_token = $2`;

/** Hot. $1: queue. */
export const teamOfQueue = 'SELECT team_id FROM endpoint_queue WHERE id = $1';
