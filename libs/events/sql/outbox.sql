-- Written by `npm run sql`; do not edit.

-- recordEvents (src/outbox/outbox.sql.ts)
WITH input AS MATERIALIZED (
  SELECT * FROM jsonb_to_recordset($1::jsonb)
    AS r(place int, id uuid, event text, team_id uuid, data jsonb, meta jsonb)),
  recorded_batch AS (
    INSERT INTO outbox_batch (size)
    SELECT count(*) FROM input HAVING count(*) > 0
    RETURNING id AS batch_id),
  recorded AS (
    INSERT INTO logged_event (batch_id, place, id, event, team_id, run_id, run_seq, data, meta, created_at)
    SELECT batch_id, row_number() OVER (ORDER BY place), id, event, team_id,
           NULL::uuid, NULL::int, data, meta, clock_timestamp()
      FROM recorded_batch CROSS JOIN input)
SELECT;

-- numberEvents (src/outbox/outbox.sql.ts)
WITH head AS (SELECT position, epoch FROM outbox_head WHERE id = 1 AND position >= $1::bigint),
  waiting AS (
    SELECT id, size FROM outbox_batch WHERE after IS NULL AND id > $2::bigint ORDER BY id LIMIT $3::bigint),
  placed AS (SELECT id, size, sum(size) OVER (ORDER BY id) - size AS ahead FROM waiting),
  taken AS MATERIALIZED (
    SELECT id, size, head.position + ahead AS after FROM placed CROSS JOIN head WHERE ahead < $3::bigint),
  numbered AS (
    UPDATE outbox_batch AS b SET after = taken.after FROM taken WHERE b.id = taken.id RETURNING b.id, b.after),
  moved AS (
    UPDATE outbox_head SET position = position + (SELECT coalesce(sum(size), 0) FROM taken) WHERE id = 1),
  events AS (
    SELECT b.id AS number, e.id, b.after + e.place AS position, e.event, e.team_id, e.run_seq, CASE WHEN pg_column_size(e.data) < 1024 OR octet_length(e.data::text) <= 65536 THEN e.data END AS data,
    e.meta, e.created_at FROM numbered AS b JOIN logged_event AS e ON e.batch_id = b.id)
SELECT head.position AS head, head.epoch, events.* FROM head LEFT JOIN events ON true
 ORDER BY events.position;

-- eventsAfter (src/outbox/outbox.sql.ts)
SELECT * FROM (
    SELECT page.*, count(*) OVER ()::int AS page_rows,
           sum(octet_length(data::text)) OVER (ORDER BY position ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS bytes_before
      FROM (SELECT b.id AS number, e.id, b.after + e.place AS position, e.event, e.team_id, e.run_seq, e.data AS data,
    e.meta, e.created_at
     FROM (SELECT id, after FROM outbox_batch
            WHERE after >= coalesce((SELECT max(after) FROM outbox_batch WHERE after <= $1::bigint), 0)
            ORDER BY after LIMIT $2::bigint + 1) AS b
     JOIN logged_event AS e ON e.batch_id = b.id
    WHERE b.after + e.place > $1::bigint ORDER BY b.after, e.place LIMIT $2::bigint) AS page) AS page
   WHERE coalesce(bytes_before, 0) < 4194304 ORDER BY position;

-- pruneBatches (src/outbox/outbox.sql.ts)
WITH oldest AS MATERIALIZED (
  SELECT id, after, created_at < now() - make_interval(hours => $1) AS old
    FROM outbox_batch WHERE after IS NOT NULL ORDER BY after LIMIT 1000),
locked AS MATERIALIZED (
  SELECT id FROM outbox_batch
   WHERE id IN (SELECT id FROM oldest
                 WHERE after < coalesce((SELECT min(after) FROM oldest WHERE NOT old), after + 1))
   ORDER BY id FOR UPDATE)
DELETE FROM outbox_batch WHERE id IN (SELECT id FROM locked) RETURNING id;

-- forgetOldEpochs (src/outbox/outbox.sql.ts)
DELETE FROM outbox_epoch WHERE id IN (SELECT id FROM outbox_epoch ORDER BY id DESC OFFSET 1000);
