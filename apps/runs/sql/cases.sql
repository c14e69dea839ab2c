-- Written by `npm run sql`; do not edit.

-- insertCases (src/cases/cases.sql.ts)
WITH input AS MATERIALIZED (
  SELECT * FROM jsonb_to_recordset($1::jsonb) AS i(n int, id uuid, title text, data jsonb, text text, rank smallint,
    postponed_to timestamptz(3), event_id uuid, outbox_id uuid, label_ids uuid[])),
  made AS (
    INSERT INTO queue_case (id, team_id, queue_id, title, data, status, rank, postponed_to, created_at, updated_at)
    SELECT id, $2, $3, title, coalesce(data, 'null'), 'pending', rank, postponed_to, $6::timestamptz, $6::timestamptz
      FROM input
    RETURNING id, team_id, queue_id, title, data, status, rank, claimed_by_run_id, claimed_at, postponed_to, completed_at, pending_human_request_id, reserved_agent_id, created_at, updated_at),
  texts AS (INSERT INTO case_text (case_id, queue_id, text) SELECT id, $3, text FROM input),
  events AS (
    INSERT INTO case_event (id, case_id, type, actor, created_at)
    SELECT event_id, id, 'created', $4::jsonb, $6::timestamptz FROM input),
  counted AS (
    INSERT INTO case_tally (queue_id, status, rank, cases)
    SELECT $3, 'pending', rank, count(*) FROM input GROUP BY rank),
  linked AS (
    INSERT INTO case_label_link (case_id, label_id)
    SELECT DISTINCT input.id, label_id FROM input CROSS JOIN LATERAL unnest(label_ids) AS label_id),
  published_batch AS (
    INSERT INTO outbox_batch (size)
    SELECT count(*) FROM made JOIN input USING (id) HAVING count(*) > 0
    RETURNING id AS batch_id),
  published AS (
    INSERT INTO logged_event (batch_id, place, id, event, team_id, run_id, run_seq, data, meta, created_at)
    SELECT batch_id, row_number() OVER (ORDER BY input.n), input.outbox_id, 'queue.case.created', $2::uuid,
           NULL::uuid, NULL::int, jsonb_strip_nulls(jsonb_build_object('case_id', made.id, 'queue_id', made.queue_id,
    'title', made.title, 'status', 'pending', 'run_id', NULL::uuid)), $5::jsonb, $6::timestamptz
      FROM published_batch CROSS JOIN made JOIN input USING (id))
SELECT made.id, made.team_id, made.queue_id, made.title, made.data, made.status, made.rank, made.claimed_by_run_id, made.claimed_at, made.postponed_to, made.completed_at, made.pending_human_request_id, made.reserved_agent_id, made.created_at, made.updated_at FROM made JOIN input USING (id) ORDER BY input.n;

-- moveCases (src/cases/cases.sql.ts)
WITH input AS MATERIALIZED (
  SELECT * FROM unnest($2::uuid[], $4::uuid[], $5::uuid[]) AS i(id, event_id, outbox_id)),
  wanted AS MATERIALIZED (
    SELECT queue_case.id, queue_case.team_id, queue_case.queue_id, queue_case.title, queue_case.data, queue_case.status, queue_case.rank, queue_case.claimed_by_run_id, queue_case.claimed_at, queue_case.postponed_to, queue_case.completed_at, queue_case.pending_human_request_id, queue_case.reserved_agent_id, queue_case.created_at, queue_case.updated_at, input.event_id, input.outbox_id FROM queue_case JOIN input USING (id)
     WHERE queue_case.queue_id = $1
       AND NOT (queue_case.status = $3::text AND (queue_case.status <> 'pending'
                OR (queue_case.claimed_by_run_id IS NULL AND queue_case.postponed_to IS NULL
                    AND queue_case.reserved_agent_id IS NOT DISTINCT FROM $11::uuid)))
     ORDER BY queue_case.id
       FOR UPDATE OF queue_case),
  moved AS (
    UPDATE queue_case SET status = $3::text, claimed_by_run_id = NULL, claimed_at = NULL, postponed_to = NULL,
           pending_human_request_id = NULL, reserved_agent_id = $11::uuid, updated_at = $10::timestamptz,
           completed_at = CASE WHEN $3::text = 'pending' THEN NULL ELSE $10::timestamptz END
      FROM wanted WHERE queue_case.id = wanted.id),
  events AS (
    INSERT INTO case_event (id, case_id, type, actor, reason, created_at)
    SELECT event_id, id, $6::text, $7::jsonb, $8::text, $10::timestamptz FROM wanted),
  counted AS (
    INSERT INTO case_tally (queue_id, status, rank, cases)
    SELECT queue_id, status, rank, -count(*) FROM wanted GROUP BY queue_id, status, rank
     UNION ALL
    SELECT queue_id, $3::text, rank, count(*) FROM wanted GROUP BY queue_id, rank),
  published_batch AS (
    INSERT INTO outbox_batch (size)
    SELECT count(*) FROM wanted WHERE $3::text <> 'pending' AND status <> $3::text HAVING count(*) > 0
    RETURNING id AS batch_id),
  published AS (
    INSERT INTO logged_event (batch_id, place, id, event, team_id, run_id, run_seq, data, meta, created_at)
    SELECT batch_id, row_number() OVER (ORDER BY id), outbox_id, 'queue.case.completed', team_id,
           NULL::uuid, NULL::int, jsonb_strip_nulls(jsonb_build_object('case_id', wanted.id, 'queue_id', wanted.queue_id,
    'title', wanted.title, 'status', $3::text, 'run_id', NULL::uuid)), $9::jsonb, $10::timestamptz
      FROM published_batch CROSS JOIN wanted WHERE $3::text <> 'pending' AND status <> $3::text)
SELECT id, CASE WHEN status = 'pending' THEN claimed_by_run_id END AS run_id FROM wanted;

-- rankCases (src/cases/cases.sql.ts)
WITH wanted AS MATERIALIZED (
  SELECT queue_case.id, queue_case.team_id, queue_case.queue_id, queue_case.title, queue_case.data, queue_case.status, queue_case.rank, queue_case.claimed_by_run_id, queue_case.claimed_at, queue_case.postponed_to, queue_case.completed_at, queue_case.pending_human_request_id, queue_case.reserved_agent_id, queue_case.created_at, queue_case.updated_at, input.event_id
    FROM queue_case JOIN unnest($2::uuid[], $4::uuid[]) AS input(id, event_id) USING (id)
   WHERE queue_case.queue_id = $1 AND queue_case.rank <> $3::smallint
   ORDER BY queue_case.id
     FOR UPDATE OF queue_case),
  moved AS (
    UPDATE queue_case SET rank = $3::smallint, updated_at = $7::timestamptz FROM wanted WHERE queue_case.id = wanted.id),
  events AS (
    INSERT INTO case_event (id, case_id, type, actor, reason, created_at)
    SELECT event_id, id, 'updated', $5::jsonb, $6::text, $7::timestamptz FROM wanted),
  counted AS (
    INSERT INTO case_tally (queue_id, status, rank, cases)
    SELECT queue_id, status, rank, -count(*) FROM wanted GROUP BY queue_id, status, rank
     UNION ALL
    SELECT queue_id, status, $3::smallint, count(*) FROM wanted GROUP BY queue_id, status)
SELECT id, NULL::uuid AS run_id FROM wanted;

-- deleteCases (src/cases/cases.sql.ts)
WITH gone AS (
  DELETE FROM queue_case WHERE queue_id = $1 AND id = ANY ($2::uuid[]) RETURNING id, team_id, queue_id, title, data, status, rank, claimed_by_run_id, claimed_at, postponed_to, completed_at, pending_human_request_id, reserved_agent_id, created_at, updated_at),
  texts AS (DELETE FROM case_text USING gone WHERE case_text.case_id = gone.id),
  events AS (DELETE FROM case_event USING gone WHERE case_event.case_id = gone.id),
  links AS (DELETE FROM case_label_link USING gone WHERE case_label_link.case_id = gone.id),
  counted AS (
    INSERT INTO case_tally (queue_id, status, rank, cases)
    SELECT queue_id, status, rank, -count(*) FROM gone GROUP BY queue_id, status, rank)
SELECT id, CASE WHEN status = 'pending' THEN claimed_by_run_id END AS run_id FROM gone;

-- heldCases (src/cases/cases.sql.ts)
WITH RECURSIVE asking(id) AS (
    SELECT run_id FROM human_request WHERE team_id = $1 AND status = 'pending' AND type = 'approval'
     UNION
    SELECT run.parent_run_id FROM asking JOIN run ON run.id = asking.id WHERE run.parent_run_id IS NOT NULL)
SELECT id FROM queue_case
 WHERE queue_id = $2 AND ($3::uuid[] IS NULL OR id = ANY ($3::uuid[])) AND status = 'pending'
   AND claimed_by_run_id IN (SELECT id FROM asking);

-- findCase (src/cases/cases.sql.ts)
SELECT shown.id, shown.team_id, shown.queue_id, shown.title, shown.data, shown.status, shown.rank, shown.claimed_by_run_id, shown.claimed_at, shown.postponed_to, shown.completed_at, shown.pending_human_request_id, shown.reserved_agent_id, shown.created_at, shown.updated_at, (
  SELECT coalesce(jsonb_agg(jsonb_build_object('id', label.id, 'key', label.key, 'value', label.value, 'hue', label.hue)
                            ORDER BY label.key, label.value), '[]')
    FROM case_label_link AS link JOIN case_label AS label ON label.id = link.label_id
   WHERE link.case_id = shown.id) AS labels FROM queue_case AS shown WHERE shown.team_id = $1 AND shown.id = $2;

-- casesByIds (src/cases/cases.sql.ts)
SELECT shown.id, shown.team_id, shown.queue_id, shown.title, shown.data, shown.status, shown.rank, shown.claimed_by_run_id, shown.claimed_at, shown.postponed_to, shown.completed_at, shown.pending_human_request_id, shown.reserved_agent_id, shown.created_at, shown.updated_at, (
  SELECT coalesce(jsonb_agg(jsonb_build_object('id', label.id, 'key', label.key, 'value', label.value, 'hue', label.hue)
                            ORDER BY label.key, label.value), '[]')
    FROM case_label_link AS link JOIN case_label AS label ON label.id = link.label_id
   WHERE link.case_id = shown.id) AS labels FROM queue_case AS shown JOIN unnest($1::uuid[]) WITH ORDINALITY AS wanted(id, place) ON wanted.id = shown.id ORDER BY place;

-- lockCase (src/cases/cases.sql.ts)
SELECT id, team_id, queue_id, title, data, status, rank, claimed_by_run_id, claimed_at, postponed_to, completed_at, pending_human_request_id, reserved_agent_id, created_at, updated_at FROM queue_case WHERE team_id = $1 AND id = $2 FOR UPDATE;

-- anyCaseTallyAfter (src/cases/cases.sql.ts)
SELECT FROM case_tally WHERE id > 7;
