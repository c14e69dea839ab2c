-- Written by `npm run sql`; do not edit.

-- freeTriggers (src/cases/dispatch/case-dispatch.sql.ts)
SELECT * FROM (
  SELECT trigger.id, trigger.team_id, trigger.agent_id, trigger.agent_name, coalesce(trigger.concurrency, 5) - (SELECT count(*)::int FROM run WHERE run.team_id = trigger.team_id
  AND run.agent_id = trigger.agent_id AND run.case_id IS NOT NULL AND run.status IN ('pending', 'running')) AS slots
    FROM case_trigger AS trigger
   WHERE trigger.queue_id = $1 AND trigger.enabled AND NOT EXISTS (SELECT FROM deleted_agent WHERE deleted_agent.agent_id = trigger.agent_id) AND (EXISTS (SELECT FROM queue_case WHERE queue_id = $1 AND status = 'pending' AND claimed_by_run_id IS NULL AND postponed_to IS NULL
    AND (reserved_agent_id IS NULL OR reserved_agent_id = trigger.agent_id OR NOT EXISTS (
  SELECT FROM case_trigger AS theirs
   WHERE theirs.agent_id = reserved_agent_id AND theirs.queue_id = queue_case.queue_id AND theirs.enabled
     AND NOT EXISTS (SELECT FROM deleted_agent WHERE deleted_agent.agent_id = theirs.agent_id))))
  OR EXISTS (SELECT FROM queue_case WHERE queue_id = $1 AND status = 'pending' AND claimed_by_run_id IS NULL AND postponed_to <= now()
    AND (reserved_agent_id IS NULL OR reserved_agent_id = trigger.agent_id OR NOT EXISTS (
  SELECT FROM case_trigger AS theirs
   WHERE theirs.agent_id = reserved_agent_id AND theirs.queue_id = queue_case.queue_id AND theirs.enabled
     AND NOT EXISTS (SELECT FROM deleted_agent WHERE deleted_agent.agent_id = theirs.agent_id)))))) AS free
 WHERE slots > 0 ORDER BY slots DESC, id;

-- slotsOfTrigger (src/cases/dispatch/case-dispatch.sql.ts)
SELECT coalesce(trigger.concurrency, 5) - (SELECT count(*)::int FROM run WHERE run.team_id = trigger.team_id
  AND run.agent_id = trigger.agent_id AND run.case_id IS NOT NULL AND run.status IN ('pending', 'running')) AS slots FROM case_trigger AS trigger WHERE trigger.id = $1;

-- nextCases (src/cases/dispatch/case-dispatch.sql.ts)
WITH due AS MATERIALIZED (
  SELECT * FROM queue_case WHERE queue_id = $1 AND status = 'pending' AND claimed_by_run_id IS NULL AND postponed_to <= now() AND (reserved_agent_id IS NULL OR reserved_agent_id = $3 OR NOT EXISTS (
  SELECT FROM case_trigger AS theirs
   WHERE theirs.agent_id = reserved_agent_id AND theirs.queue_id = queue_case.queue_id AND theirs.enabled
     AND NOT EXISTS (SELECT FROM deleted_agent WHERE deleted_agent.agent_id = theirs.agent_id)))
   ORDER BY postponed_to, id LIMIT $2 FOR UPDATE SKIP LOCKED),
  fresh AS MATERIALIZED (
    SELECT * FROM queue_case WHERE queue_id = $1 AND status = 'pending' AND claimed_by_run_id IS NULL AND postponed_to IS NULL AND (reserved_agent_id IS NULL OR reserved_agent_id = $3 OR NOT EXISTS (
  SELECT FROM case_trigger AS theirs
   WHERE theirs.agent_id = reserved_agent_id AND theirs.queue_id = queue_case.queue_id AND theirs.enabled
     AND NOT EXISTS (SELECT FROM deleted_agent WHERE deleted_agent.agent_id = theirs.agent_id)))
     ORDER BY rank, created_at, id LIMIT ($2 - (SELECT count(*) FROM due)) FOR UPDATE SKIP LOCKED)
SELECT shown.*, labels.labels FROM (
  SELECT 0 AS part, row_number() OVER (ORDER BY postponed_to, id) AS place, due.* FROM due
   UNION ALL
  SELECT 1, row_number() OVER (ORDER BY rank, created_at, id), fresh.* FROM fresh) AS shown
  CROSS JOIN LATERAL (
    SELECT coalesce(jsonb_agg(jsonb_build_object('key', label.key, 'value', label.value)
                              ORDER BY label.key, label.value), '[]') AS labels
      FROM case_label_link AS link JOIN case_label AS label ON label.id = link.label_id
     WHERE link.case_id = shown.id) AS labels
 ORDER BY part, place;

-- forgottenQueues (src/cases/dispatch/case-dispatch.sql.ts)
WITH RECURSIVE walk AS (
  (SELECT queue_id FROM queue_case WHERE status = 'pending' AND claimed_by_run_id IS NULL AND postponed_to IS NULL ORDER BY queue_id LIMIT 1)
   UNION ALL
  SELECT (SELECT queue_id FROM queue_case WHERE status = 'pending' AND claimed_by_run_id IS NULL AND postponed_to IS NULL AND queue_case.queue_id > walk.queue_id
           ORDER BY queue_id LIMIT 1)
    FROM walk WHERE walk.queue_id IS NOT NULL),
  later AS (
  (SELECT queue_id FROM queue_case WHERE status = 'pending' AND claimed_by_run_id IS NULL AND postponed_to IS NOT NULL ORDER BY queue_id LIMIT 1)
   UNION ALL
  SELECT (SELECT queue_id FROM queue_case WHERE status = 'pending' AND claimed_by_run_id IS NULL AND postponed_to IS NOT NULL AND queue_case.queue_id > later.queue_id
           ORDER BY queue_id LIMIT 1)
    FROM later WHERE later.queue_id IS NOT NULL),
  found AS (
    SELECT queue_id FROM walk WHERE queue_id IS NOT NULL
     UNION
    SELECT queue_id FROM later WHERE queue_id IS NOT NULL AND EXISTS (
      SELECT FROM queue_case WHERE queue_case.queue_id = later.queue_id AND status = 'pending' AND claimed_by_run_id IS NULL AND postponed_to <= now()))
SELECT queue_id FROM found
 WHERE EXISTS (
   SELECT FROM case_trigger AS trigger WHERE trigger.queue_id = found.queue_id AND trigger.enabled
      AND NOT EXISTS (SELECT FROM deleted_agent WHERE deleted_agent.agent_id = trigger.agent_id) AND coalesce(trigger.concurrency, 5) - (SELECT count(*)::int FROM run WHERE run.team_id = trigger.team_id
  AND run.agent_id = trigger.agent_id AND run.case_id IS NOT NULL AND run.status IN ('pending', 'running')) > 0)
 ORDER BY random() LIMIT $1;
