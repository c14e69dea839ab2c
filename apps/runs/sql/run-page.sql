-- Written by `npm run sql`; do not edit.

-- runTotalQuery, all runs (src/lifecycle/run-list/run-page.sql.ts)
SELECT (SELECT count(*) FROM run WHERE team_id = $1 AND status = 'pending') + (SELECT count(*) FROM run WHERE team_id = $1 AND status = 'running') + (SELECT count(*) FROM run WHERE team_id = $1 AND status = 'waiting') + (SELECT coalesce(sum(runs), 0) FROM run_tally WHERE team_id = $1 AND status IN ('completed', 'failed', 'stopped')) AS total;

-- runTotalQuery, filtered (src/lifecycle/run-list/run-page.sql.ts)
SELECT (SELECT count(*) FROM run WHERE team_id = $1 AND status = 'waiting' AND agent_id = $2 AND source = $3 AND EXISTS (SELECT FROM run_title WHERE run_id = run.id AND team_id = $1 AND title LIKE $4)) + (SELECT count(*) FROM run WHERE team_id = $1 AND status = 'failed' AND agent_id = $2 AND source = $3 AND EXISTS (SELECT FROM run_title WHERE run_id = run.id AND team_id = $1 AND title LIKE $4)) AS total;

-- runPageQuery, all runs (src/lifecycle/run-list/run-page.sql.ts)
WITH page AS MATERIALIZED (SELECT 1 AS part, id, key FROM (
  SELECT id, key FROM (
  (SELECT id, created_at AS key FROM run WHERE team_id = $1 AND status = 'pending'
   ORDER BY created_at desc, id desc LIMIT 60)
  UNION ALL
  (SELECT id, created_at AS key FROM run WHERE team_id = $1 AND status = 'running'
   ORDER BY created_at desc, id desc LIMIT 60)
  UNION ALL
  (SELECT id, created_at AS key FROM run WHERE team_id = $1 AND status = 'waiting'
   ORDER BY created_at desc, id desc LIMIT 60)
  UNION ALL
  (SELECT id, created_at AS key FROM run WHERE team_id = $1 AND status = 'completed'
   ORDER BY created_at desc, id desc LIMIT 60)
  UNION ALL
  (SELECT id, created_at AS key FROM run WHERE team_id = $1 AND status = 'failed'
   ORDER BY created_at desc, id desc LIMIT 60)
  UNION ALL
  (SELECT id, created_at AS key FROM run WHERE team_id = $1 AND status = 'stopped'
   ORDER BY created_at desc, id desc LIMIT 60)) AS branches
   ORDER BY key desc, id desc LIMIT 20 OFFSET 40) AS runs)
SELECT run.id, run.run_number, run.title, run.agent_id, run.agent_name, run.build_id, run.team_id, run.status, run.source, run.sandbox_id, run.user_id, run.case_id, run.case_title, run.case_queue_id, run.case_queue_name, run.human_in_the_loop_enabled, run.metadata, run.result, run.error, run.stop_reason, run.steps, run.tool_calls, run.input_tokens, run.output_tokens, run.created_at, run.started_at, run.completed_at, run.updated_at, run.page_rows, 
  (SELECT jsonb_build_object('passed', evaluation.passed, 'total', evaluation.total, 'has_issues', evaluation.has_issues)
     FROM run_evaluation AS evaluation
    WHERE evaluation.run_id = run.id AND evaluation.status = 'ready') AS eval_summary, CASE WHEN run.case_id IS NOT NULL THEN (
    SELECT max(result ->> 'postponed_to') FROM case_call WHERE case_call.run_id = run.id) END AS postponed_to FROM (SELECT * FROM (
    SELECT page.*, count(*) OVER ()::int AS page_rows,
           sum(500 + coalesce(octet_length(to_json(result)::text), 0) + coalesce(octet_length(metadata::text), 0)) OVER (ORDER BY part, key desc, id desc ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS bytes_before
      FROM (SELECT part, key, run.* FROM page JOIN run ON run.id = page.id) AS page) AS page
   WHERE coalesce(bytes_before, 0) < 4194304 ORDER BY part, key desc, id desc) AS run ORDER BY part, key desc, id desc;

-- runPageQuery, by their end (src/lifecycle/run-list/run-page.sql.ts)
WITH ledger AS MATERIALIZED (
  SELECT status, sum(runs) AS runs FROM run_tally WHERE team_id = $1 AND status IN ('failed') AND agent_id = $2 AND source = $3
   GROUP BY status),
first_part AS MATERIALIZED (
  SELECT id, key FROM (
  (SELECT id, completed_at AS key FROM run WHERE team_id = $1 AND status = 'failed' AND agent_id = $2 AND source = $3 AND EXISTS (SELECT FROM run_title WHERE run_id = run.id AND team_id = $1 AND title LIKE $4) AND (SELECT runs FROM ledger WHERE status = 'failed') > 0
   ORDER BY completed_at desc, id desc LIMIT 60)) AS branches
   ORDER BY key desc, id desc LIMIT 60),
second_part AS (
  SELECT id, key FROM (
  (SELECT id, completed_at AS key FROM run WHERE team_id = $1 AND status = 'waiting' AND agent_id = $2 AND source = $3 AND EXISTS (SELECT FROM run_title WHERE run_id = run.id AND team_id = $1 AND title LIKE $4) AND (SELECT count(*) FROM first_part) < 60
   ORDER BY completed_at desc, id desc LIMIT 60)) AS branches
   ORDER BY key desc, id desc LIMIT 60),
page AS MATERIALIZED (
  SELECT part, id, key
    FROM (SELECT 1 AS part, id, key FROM first_part UNION ALL SELECT 2, id, key FROM second_part) AS parts
   ORDER BY part, key desc, id desc LIMIT 20 OFFSET 40)
SELECT run.id, run.run_number, run.title, run.agent_id, run.agent_name, run.build_id, run.team_id, run.status, run.source, run.sandbox_id, run.user_id, run.case_id, run.case_title, run.case_queue_id, run.case_queue_name, run.human_in_the_loop_enabled, run.metadata, run.result, run.error, run.stop_reason, run.steps, run.tool_calls, run.input_tokens, run.output_tokens, run.created_at, run.started_at, run.completed_at, run.updated_at, run.page_rows, 
  (SELECT jsonb_build_object('passed', evaluation.passed, 'total', evaluation.total, 'has_issues', evaluation.has_issues)
     FROM run_evaluation AS evaluation
    WHERE evaluation.run_id = run.id AND evaluation.status = 'ready') AS eval_summary, CASE WHEN run.case_id IS NOT NULL THEN (
    SELECT max(result ->> 'postponed_to') FROM case_call WHERE case_call.run_id = run.id) END AS postponed_to FROM (SELECT * FROM (
    SELECT page.*, count(*) OVER ()::int AS page_rows,
           sum(500 + coalesce(octet_length(to_json(result)::text), 0) + coalesce(octet_length(metadata::text), 0)) OVER (ORDER BY part, key desc, id desc ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS bytes_before
      FROM (SELECT part, key, run.* FROM page JOIN run ON run.id = page.id) AS page) AS page
   WHERE coalesce(bytes_before, 0) < 4194304 ORDER BY part, key desc, id desc) AS run ORDER BY part, key desc, id desc;
