-- Written by `npm run sql`; do not edit.

-- settleCalls (src/tools/cases/case-tools.sql.ts)
WITH input AS MATERIALIZED (
  SELECT * FROM jsonb_to_recordset($1::jsonb) AS i(n int, run_id uuid, call_id text, token uuid, to_status text,
    reason text, event_id uuid, outbox_id uuid, meta jsonb)),
  calling AS MATERIALIZED (
    SELECT input.*, run.case_id FROM input JOIN run ON run.id = input.run_id
     WHERE run.lease_token = input.token AND run.status = 'running'
       AND NOT EXISTS (SELECT FROM case_call AS made WHERE made.run_id = input.run_id AND made.call_id = input.call_id)
       FOR SHARE OF run SKIP LOCKED),
  held AS MATERIALIZED (
    SELECT calling.* FROM calling JOIN queue_case ON queue_case.id = calling.case_id
     WHERE queue_case.claimed_by_run_id = calling.run_id AND queue_case.status = 'pending'
       FOR UPDATE OF queue_case SKIP LOCKED),
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
      FROM settled_published_batch CROSS JOIN settled),
  noted AS (
    INSERT INTO case_call (run_id, call_id, result)
    SELECT run_id, call_id, jsonb_build_object('case_id', case_id, 'status', to_status) FROM held)
SELECT n, case_id, to_status AS status FROM held;
