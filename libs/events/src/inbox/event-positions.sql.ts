// By hand, all of them: they are compared and set under a lease, with each batch of events, or work on sets.

const leaseEnd = `now() + interval '15 seconds'`;
const pruneHandledBatch = 1_000;

/** $1: the log, $2: the replica. Where a version without epochs has moved the position, it may belong to any. */
export const acquirePosition = `
INSERT INTO event_position AS p (source, position, lease_owner, lease_until) VALUES ($1, 0, $2, ${leaseEnd})
ON CONFLICT (source) DO UPDATE SET lease_owner = $2, lease_until = ${leaseEnd},
       epoch = CASE WHEN p.epoch_position = p.position THEN p.epoch END
 WHERE p.lease_owner = $2 OR p.lease_until IS NULL OR p.lease_until < now()
RETURNING position, epoch, started_over_at`;

/** Has no source, and is refused, if the position was not where it should be. */
export const handledBatches = 'handled_event_batch';

/**
 * $1: the log, $2: the replica, $3 and $4: position and epoch so far, $5: the new position, $6: the events. Fails if the
 * position is another, so that whatever is sent behind it is undone without waiting for its answer.
 */
export const advancePosition = `
WITH moved AS (
  UPDATE event_position SET position = $5, epoch_position = $5, lease_owner = $2, lease_until = ${leaseEnd}
   WHERE source = $1 AND position = $3 AND epoch IS NOT DISTINCT FROM $4 RETURNING source)
INSERT INTO ${handledBatches} (source, ids, created_at) SELECT (SELECT source FROM moved), $6::uuid[], now()`;

/** As the one above, but gives no row if the position is another; $6: the new epoch. */
export const adoptEpoch = `
UPDATE event_position SET position = $5, epoch_position = $5, epoch = $6, lease_owner = $2, lease_until = ${leaseEnd},
       started_over_at = CASE WHEN $5 < position THEN now() ELSE started_over_at END
 WHERE source = $1 AND position = $3 AND epoch IS NOT DISTINCT FROM $4
RETURNING position, epoch, started_over_at`;

/** $1: the replica. */
export const releasePositions = `
UPDATE event_position SET lease_owner = NULL, lease_until = NULL WHERE lease_owner = $1`;

/** $1: the log. */
export const knownEpochs = 'SELECT epoch FROM event_epoch WHERE source = $1';

/** $1: the log. */
export const forgetEpochs = 'DELETE FROM event_epoch WHERE source = $1';

/** $1: the log, $2: the epochs. */
export const addEpochs = 'INSERT INTO event_epoch (source, epoch) SELECT $1, unnest($2::uuid[])';

/** $1: the log, $2: events; gives those that were handled. */
export const handledEvents = `
SELECT id FROM ${handledBatches}, unnest(ids) AS id
 WHERE source = $1 AND ids && $2::uuid[] AND id = ANY ($2::uuid[])`;

/** $1: hours. */
export const pruneHandled = `
WITH oldest AS (SELECT seq, created_at FROM ${handledBatches} ORDER BY seq LIMIT ${pruneHandledBatch}),
gone AS (
  DELETE FROM ${handledBatches} AS h USING oldest
   WHERE h.seq = oldest.seq AND oldest.created_at < now() - make_interval(hours => $1) RETURNING 1)
SELECT count(*) FROM gone`;
