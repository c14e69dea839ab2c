-- Written by `npm run sql`; do not edit.

-- acquirePosition (src/inbox/event-positions.sql.ts)
INSERT INTO event_position AS p (source, position, lease_owner, lease_until) VALUES ($1, 0, $2, now() + interval '15 seconds')
ON CONFLICT (source) DO UPDATE SET lease_owner = $2, lease_until = now() + interval '15 seconds',
       epoch = CASE WHEN p.epoch_position = p.position THEN p.epoch END
 WHERE p.lease_owner = $2 OR p.lease_until IS NULL OR p.lease_until < now()
RETURNING position, epoch, started_over_at;

-- advancePosition (src/inbox/event-positions.sql.ts)
WITH moved AS (
  UPDATE event_position SET position = $5, epoch_position = $5, lease_owner = $2, lease_until = now() + interval '15 seconds'
   WHERE source = $1 AND position = $3 AND epoch IS NOT DISTINCT FROM $4 RETURNING source)
INSERT INTO handled_event_batch (source, ids, created_at) SELECT (SELECT source FROM moved), $6::uuid[], now();

-- adoptEpoch (src/inbox/event-positions.sql.ts)
UPDATE event_position SET position = $5, epoch_position = $5, epoch = $6, lease_owner = $2, lease_until = now() + interval '15 seconds',
       started_over_at = CASE WHEN $5 < position THEN now() ELSE started_over_at END
 WHERE source = $1 AND position = $3 AND epoch IS NOT DISTINCT FROM $4
RETURNING position, epoch, started_over_at;

-- handledEvents (src/inbox/event-positions.sql.ts)
SELECT id FROM handled_event_batch, unnest(ids) AS id
 WHERE source = $1 AND ids && $2::uuid[] AND id = ANY ($2::uuid[]);

-- pruneHandled (src/inbox/event-positions.sql.ts)
WITH oldest AS (SELECT seq, created_at FROM handled_event_batch ORDER BY seq LIMIT 1000),
gone AS (
  DELETE FROM handled_event_batch AS h USING oldest
   WHERE h.seq = oldest.seq AND oldest.created_at < now() - make_interval(hours => $1) RETURNING 1)
SELECT count(*) FROM gone;
