-- Written by `npm run sql`; do not edit.

-- settleClaimed (src/cases/case-parts.sql.ts)
WITH held AS (
  SELECT $1::uuid AS case_id, $2::text AS to_status, $3::uuid AS run_id, $4::uuid AS event_id, $5::uuid AS outbox_id,
         $6::text AS reason, $7::jsonb AS meta),
  settled AS (
    UPDATE queue_case SET status = held.to_status, completed_at = now(), pending_human_request_id = NULL, updated_at = now()
      FROM held WHERE queue_case.id = held.case_id
    RETURNING queue_case.*, held.run_id, held.reason, held.event_id, held.outbox_id, held.meta),
  settled_events AS (
    INSERT INTO case_event (id, case_id, type, actor, reason, created_at)
    SELECT event_id, id, status, jsonb_build_object('type', 'run', 'id', run_id), reason, now() FROM settled),
  settled_counts AS (
    INSERT INTO case_tally (queue_id, status, rank, cases)
    SELECT queue_id, moved.status, rank, sum(moved.cases)
      FROM settled CROSS JOIN LATERAL (VALUES ('pending', -1), (settled.status, 1)) AS moved(status, cases)
     GROUP BY queue_id, moved.status, rank),
  settled_published_batch AS (
    INSERT INTO outbox_batch (size)
    SELECT count(*) FROM settled HAVING count(*) > 0
    RETURNING id AS batch_id),
  settled_published AS (
    INSERT INTO logged_event (batch_id, place, id, event, team_id, run_id, run_seq, data, meta, created_at)
    SELECT batch_id, row_number() OVER (ORDER BY outbox_id), outbox_id, 'queue.case.completed', team_id,
           NULL::uuid, NULL::int, jsonb_strip_nulls(jsonb_build_object('case_id', settled.id, 'queue_id', settled.queue_id,
    'title', settled.title, 'status', status, 'run_id', run_id)), meta, now()
      FROM settled_published_batch CROSS JOIN settled)
SELECT id FROM settled;
