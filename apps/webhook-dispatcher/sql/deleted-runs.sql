-- Written by `npm run sql`; do not edit.

-- emptyDeletedRuns (src/deleted-runs/deleted-runs.sql.ts)
WITH chosen AS MATERIALIZED (
    SELECT run_id, team_id, after_position FROM deleted_run WHERE due_at <= now()
     ORDER BY due_at LIMIT $1 FOR UPDATE SKIP LOCKED),
  
  page AS MATERIALIZED (
    SELECT chosen.run_id, f.team_id, f.position, f.id
      FROM chosen CROSS JOIN LATERAL (
        SELECT team_id, position, id FROM feed_event
         WHERE (body::json #>> '{data,run_id}') = chosen.run_id::text AND position > chosen.after_position AND event = ANY ($3::text[])
         ORDER BY position LIMIT $2) AS f
     WHERE f.team_id = chosen.team_id),
  emptied AS (
    UPDATE feed_event f SET body = blank.body
      FROM page JOIN feed_event e USING (team_id, position),
           LATERAL (SELECT json_build_object('id', e.id, 'event', e.event, 'created_at', e.body::json -> 'created_at',
           'data', json_build_object('run_id', page.run_id, 'deleted', true))::text AS body) AS blank
     WHERE f.team_id = page.team_id AND f.position = page.position AND f.body <> blank.body),
  
  forgotten AS (
    UPDATE delivery_attempt a SET response_body = NULL
      FROM (SELECT id, run_id AS target_id FROM page
            UNION ALL
            SELECT page.id, s.id FROM page JOIN webhook_subscription s ON s.team_id = page.team_id) AS sent
     WHERE a.target_id = sent.target_id AND a.event_id = sent.id AND a.response_body IS NOT NULL),
  looked AS (
    SELECT chosen.run_id, count(page.position) = $2 AS more, max(page.position) AS last
      FROM chosen LEFT JOIN page USING (run_id) GROUP BY chosen.run_id),
  moved AS (
    UPDATE deleted_run d
       SET after_position = CASE WHEN more THEN last ELSE 0 END,
           due_at = CASE WHEN more THEN d.due_at
                         WHEN d.deleted_at > now() - interval '30 seconds' THEN now() + interval '30 seconds' END
      FROM looked WHERE d.run_id = looked.run_id)
SELECT count(*) = $1 OR COALESCE(bool_or(more), false) AS more FROM looked;
