-- Written by `npm run sql`; do not edit.

-- deleteWithAll (src/runs/run-statements.sql.ts)
WITH gone AS (
  DELETE FROM run WHERE id = ANY ($1::uuid[]) AND status IN ('completed', 'failed', 'stopped')
  RETURNING id, sandbox_id, team_id, agent_id, user_id, case_queue_id, source, status),
  messages AS (DELETE FROM run_message USING gone WHERE run_message.run_id = gone.id),
  steps AS (DELETE FROM run_step USING gone WHERE run_step.run_id = gone.id),
  logged_batches AS MATERIALIZED (
    SELECT id FROM outbox_batch
     WHERE id IN (SELECT batch_id FROM logged_event JOIN gone ON logged_event.run_id = gone.id)
     ORDER BY id FOR KEY SHARE),
  released_events AS (
    UPDATE logged_event SET run_id = NULL, data = jsonb_strip_nulls(jsonb_build_object(
           'run_id', run_id, 'deleted', true, 'status', data -> 'status', 'agent_id', data -> 'agent_id'))
      FROM gone
     WHERE logged_event.run_id = gone.id AND batch_id IN (SELECT id FROM logged_batches)),
  gone_events AS (
    DELETE FROM logged_event USING gone
     WHERE logged_event.run_id = gone.id AND batch_id NOT IN (SELECT id FROM logged_batches)),
  children AS (
    UPDATE run SET parent_run_id = NULL, parent_call_id = NULL FROM gone
     WHERE run.parent_run_id = gone.id AND run.id <> ALL ($1::uuid[])),
  requests AS (
    DELETE FROM human_request USING gone WHERE human_request.run_id = gone.id),
  titles AS (DELETE FROM run_title USING gone WHERE run_title.run_id = gone.id),
  evaluations AS (
    DELETE FROM run_evaluation USING gone WHERE run_evaluation.run_id = gone.id),
  screenshots AS (
    DELETE FROM screenshot USING gone WHERE screenshot.run_id = gone.id),
  sessions AS (
    DELETE FROM browser_session USING gone WHERE browser_session.run_id = gone.id RETURNING browser_session.id),
  pages AS (DELETE FROM browser_page USING sessions WHERE browser_page.session_id = sessions.id),
  case_calls AS (DELETE FROM case_call USING gone WHERE case_call.run_id = gone.id),
  sandboxes AS (
    UPDATE sandbox SET expires_at = now()
      FROM (SELECT id, true AS is_own FROM gone
             UNION ALL
            SELECT sandbox_id, false FROM gone
             WHERE NOT EXISTS (SELECT 1 FROM run WHERE run.id = gone.sandbox_id)) AS left_over
     WHERE sandbox.id = left_over.id
       AND (left_over.is_own OR sandbox.expires_at IS NULL OR sandbox.expires_at <= now())),
  counted AS (
    INSERT INTO run_tally (team_id, agent_id, user_id, case_queue_id, source, status, runs)
    SELECT team_id, agent_id, user_id, case_queue_id, source, status, -count(*) FROM gone GROUP BY team_id, agent_id, user_id, case_queue_id, source, status)
SELECT id, team_id FROM gone;

-- selectDetails (src/runs/run-statements.sql.ts)
SELECT id, run_number, title, agent_id, agent_name, build_id, team_id, status, source, sandbox_id, user_id, case_id, case_title, case_queue_id, case_queue_name, human_in_the_loop_enabled, metadata, result, error, stop_reason, steps, tool_calls, input_tokens, output_tokens, created_at, started_at, completed_at, updated_at, build_digest, message_seq, event_seq, 
  (SELECT jsonb_build_object('passed', evaluation.passed, 'total', evaluation.total, 'has_issues', evaluation.has_issues)
     FROM run_evaluation AS evaluation
    WHERE evaluation.run_id = run.id AND evaluation.status = 'ready') AS eval_summary, CASE WHEN run.case_id IS NOT NULL THEN (
    SELECT max(result ->> 'postponed_to') FROM case_call WHERE case_call.run_id = run.id) END AS postponed_to FROM run WHERE id = $2 AND team_id = $1;

-- selectAsTask (src/runs/run-statements.sql.ts)
SELECT id, run_number, title, agent_id, agent_name, build_id, team_id, status, source, sandbox_id, user_id, case_id, case_title, case_queue_id, case_queue_name, human_in_the_loop_enabled, metadata, result, error, stop_reason, steps, tool_calls, input_tokens, output_tokens, created_at, started_at, completed_at, updated_at, build_digest, message_seq, event_seq, 
  (SELECT jsonb_build_object('passed', evaluation.passed, 'total', evaluation.total, 'has_issues', evaluation.has_issues)
     FROM run_evaluation AS evaluation
    WHERE evaluation.run_id = run.id AND evaluation.status = 'ready') AS eval_summary, CASE WHEN run.case_id IS NOT NULL THEN (
    SELECT max(result ->> 'postponed_to') FROM case_call WHERE case_call.run_id = run.id) END AS postponed_to, CASE WHEN run.reopened > 0 THEN (
    SELECT jsonb_build_object('status', ended.data -> 'status', 'result', ended.data -> 'result',
                              'error', ended.data -> 'error', 'ended_at', ended.created_at)
      FROM (SELECT run_id, run_seq AS seq, id, event, data, created_at FROM logged_event WHERE run_id IS NOT NULL) AS ended
     WHERE ended.run_id = run.id AND ended.event IN ('run.completed', 'run.failed')
     ORDER BY ended.seq LIMIT 1) END AS first_end FROM run WHERE id = $2 AND team_id = $1;
