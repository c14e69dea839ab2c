-- Written by `npm run sql`; do not edit.

-- wakeParents (src/run-core/changes/run-changes.sql.ts)
  UPDATE run SET wake_at = now(), queued_at = now(), dispatches = dispatches + 1
   WHERE id = ANY ($1::uuid[]) AND status = 'running' AND lease_token IS NULL AND wake_at > now()
     AND EXISTS (SELECT 1 FROM run_step WHERE run_step.run_id = run.id AND run_step.step_index = run.steps + 1
                    AND run_step.status = 'running')
     AND NOT EXISTS (SELECT 1 FROM run AS sub WHERE sub.parent_run_id = run.id AND sub.status IN ('pending', 'running', 'waiting'))
  RETURNING id, team_id;

-- oldEndedRuns (src/run-core/changes/run-changes.sql.ts)
SELECT id FROM (
  SELECT id, row_number() OVER (ORDER BY id) AS place, sum(message_seq) OVER (ORDER BY id) AS messages
    FROM (SELECT id, message_seq FROM run
           WHERE id < $1::uuid AND status IN ('completed', 'failed', 'stopped') AND completed_at < now() - $2 * interval '1 day'
           ORDER BY id LIMIT $3) AS old) AS summed
 WHERE place = 1 OR messages <= $4;

-- selectRun (src/run-core/changes/run-changes.sql.ts)
SELECT id, run_number, title, agent_id, agent_name, build_id, team_id, status, source, sandbox_id, user_id, case_id, case_title, case_queue_id, case_queue_name, human_in_the_loop_enabled, metadata, result, error, stop_reason, steps, tool_calls, input_tokens, output_tokens, created_at, started_at, completed_at, updated_at, build_digest, message_seq, event_seq FROM run WHERE id = $2 AND team_id = $1;

-- lockRun (src/run-core/changes/run-changes.sql.ts)
SELECT id, team_id, agent_id, run_number, agent_name, build_id, build_digest, title, status, source, sandbox_id, traceparent, user_id, parent_run_id, parent_call_id, depth, schedule_id, case_id, case_title, case_queue_id, case_queue_name, human_in_the_loop_enabled, metadata, webhook_url, result, error, stop_reason, steps, tool_calls, input_tokens, output_tokens, has_issues, issue_severity, script_position, message_seq, message_bytes, event_seq, reopened, limits_from_steps, limits_from_tokens, active_ms, dispatches, takeovers, timeline, queued_at, lease_token, lease_until, wake_at, created_at, started_at, completed_at, updated_at FROM run WHERE id = $2 AND team_id = $1 FOR UPDATE;

-- runChangeForms, all parts (src/run-core/changes/run-changes.sql.ts)
WITH input AS MATERIALIZED (
  SELECT * FROM jsonb_to_recordset($1::jsonb) AS i(
    n int, at timestamptz(3), run_id uuid, from_statuses text[], token uuid, expected_steps int, seen_seq int,
    status text, result text, error jsonb, stop_reason text, script_position int, active_ms bigint, tool_calls int,
    input_tokens bigint, output_tokens bigint, step jsonb, closes_step text, reopened_from text,
    keeps_lease boolean, settles_doubt boolean, requeue_after_ms bigint, human_request jsonb, evaluation_id uuid, ends_clean boolean, case_event_id uuid, case_outbox_id uuid, case_reason text, case_meta jsonb, case_request_id uuid, message_count int, message_bytes bigint, event_count int, messages jsonb, events jsonb)
   ORDER BY run_id, n),
  changed AS (
    UPDATE run SET
      status = input.status,
      result = CASE input.status WHEN 'completed' THEN input.result ELSE run.result END,
      error = input.error,
      stop_reason = input.stop_reason,
      completed_at = CASE WHEN input.status IN ('completed', 'failed', 'stopped') THEN greatest(input.at, run.started_at, run.created_at) END,
      script_position = coalesce(input.script_position, run.script_position),
      steps = run.steps + CASE WHEN input.step IS NOT NULL THEN 1
        WHEN input.closes_step IS NOT NULL AND EXISTS (
          SELECT 1 FROM run_step WHERE run_step.run_id = run.id AND run_step.step_index = run.steps + 1
             AND run_step.status = 'running') THEN 1
        ELSE 0 END,
      tool_calls = run.tool_calls + input.tool_calls,
      input_tokens = run.input_tokens + input.input_tokens,
      output_tokens = run.output_tokens + input.output_tokens,
      message_seq = run.message_seq + input.message_count,
      message_bytes = run.message_bytes + input.message_bytes,
      takeovers = CASE WHEN input.step IS NULL AND input.reopened_from IS NULL THEN run.takeovers ELSE 0 END,
      event_seq = run.event_seq + input.event_count,
      reopened = run.reopened + CASE WHEN input.reopened_from IS NULL THEN 0 ELSE 1 END,
      limits_from_steps = CASE WHEN input.reopened_from IS NULL THEN run.limits_from_steps ELSE run.steps END,
      limits_from_tokens = CASE WHEN input.reopened_from IS NULL THEN run.limits_from_tokens
                                ELSE run.input_tokens + run.output_tokens END,
      active_ms = CASE WHEN input.reopened_from IS NULL THEN run.active_ms + input.active_ms ELSE 0 END,
      dispatches = run.dispatches + CASE WHEN input.requeue_after_ms IS NULL THEN 0 ELSE 1 END,
      queued_at = CASE WHEN input.requeue_after_ms IS NULL THEN run.queued_at
                       ELSE now() + input.requeue_after_ms * interval '1 ms' END,
      wake_at = CASE WHEN input.requeue_after_ms > 0 THEN now() + input.requeue_after_ms * interval '1 ms'
                     WHEN input.keeps_lease THEN run.wake_at END,
      lease_token = CASE WHEN input.keeps_lease THEN run.lease_token END,
      lease_until = CASE WHEN input.keeps_lease THEN run.lease_until END,
      timeline = CASE WHEN input.settles_doubt THEN (SELECT server_timeline() || CASE
  WHEN current_setting('synchronous_standby_names') = '' OR current_setting('synchronous_commit') IN ('off', 'local')
  THEN '' ELSE '/synchronous' END) ELSE run.timeline END,
      updated_at = greatest(input.at, run.updated_at)
      FROM input
     WHERE run.id = input.run_id
       AND run.status = ANY (input.from_statuses)
       AND (input.token IS NULL OR run.lease_token = input.token)
       AND (input.expected_steps IS NULL OR run.steps = input.expected_steps)
       AND (input.seen_seq IS NULL OR run.message_seq = input.seen_seq)
    RETURNING input.n, input.at, input.messages, input.events, input.step, input.closes_step, input.reopened_from,
      run.id AS run_id, run.parent_run_id, run.webhook_url, run.message_seq, run.event_seq, run.dispatches,
      run.message_seq - input.message_count AS message_base, run.event_seq - input.event_count AS event_base,
      run.build_id, run.case_id, run.steps, run.tool_calls, run.input_tokens, run.output_tokens, run.started_at, run.completed_at, run.updated_at, run.team_id, run.agent_id, run.user_id, run.case_queue_id, run.source, run.status, input.human_request, input.evaluation_id, input.ends_clean, input.case_event_id, input.case_outbox_id, input.case_reason, input.case_meta, input.case_request_id),
  
  stored_messages AS (
    INSERT INTO run_message (run_id, seq, id, type, role, text_content, tool_call, tool_result, created_at)
    SELECT changed.run_id, changed.message_base + m.place, m.id, m.type, m.role, m.text_content, m.tool_call,
           m.tool_result, changed.at
      FROM changed CROSS JOIN LATERAL jsonb_to_recordset(changed.messages)
       AS m(place int, id uuid, type text, role text, text_content text, tool_call jsonb, tool_result jsonb)),
  noted AS (
    SELECT changed.run_id, changed.event_base + e.number AS seq, changed.n, e.place, e.id, e.event, e.team_id,
           e.data, e.meta, changed.webhook_url, changed.at
      FROM changed CROSS JOIN LATERAL jsonb_to_recordset(changed.events)
       AS e(place int, number int, id uuid, event text, team_id uuid, data jsonb, meta jsonb)),
  published_batch AS (
    INSERT INTO outbox_batch (size)
    SELECT count(*) FROM noted HAVING count(*) > 0
    RETURNING id AS batch_id),
  published AS (
    INSERT INTO logged_event (batch_id, place, id, event, team_id, run_id, run_seq, data, meta, created_at)
    SELECT batch_id, row_number() OVER (ORDER BY n, place), id, event, team_id,
           CASE WHEN seq IS NOT NULL THEN run_id END, seq, data, CASE WHEN seq IS NULL THEN meta ELSE meta || CASE WHEN webhook_url IS NOT NULL AND event IN ('human_request.created', 'run.completed', 'run.failed', 'run.paused', 'run.started')
    THEN jsonb_build_object('callback_url', webhook_url) ELSE '{}'::jsonb END END, at
      FROM published_batch CROSS JOIN noted),
  stored_steps AS (
    INSERT INTO run_step (run_id, step_index, name, kind, status, attempts, input_tokens, output_tokens,
                          tool_calls, error, started_at, completed_at)
    SELECT changed.run_id, changed.steps, s.name, s.kind, s.status, s.attempts, s.input_tokens, s.output_tokens,
           s.tool_calls, s.error, s.started_at, s.completed_at
      FROM changed CROSS JOIN LATERAL jsonb_to_record(changed.step)
       AS s(name text, kind text, status text, attempts int, input_tokens int, output_tokens int,
            tool_calls int, error text, started_at timestamptz(3), completed_at timestamptz(3))
     WHERE changed.step IS NOT NULL
    ON CONFLICT (run_id, step_index) DO UPDATE SET kind = excluded.kind, status = excluded.status,
      attempts = excluded.attempts, error = excluded.error, completed_at = excluded.completed_at),
  closed_steps AS (
    UPDATE run_step SET status = changed.closes_step, completed_at = changed.at
      FROM changed
     WHERE run_step.run_id = changed.run_id AND run_step.status = 'running' AND changed.closes_step IS NOT NULL),
  asked AS (
    INSERT INTO human_request (id, run_id, team_id, tool_call_id, type, title, description, questions, status,
                               votes, assignee, due_at, on_timeout, required_approvals, created_at)
    SELECT h.id, changed.run_id, changed.team_id, h.tool_call_id, h.type, h.title, h.description, h.questions,
           'pending', '[]', h.assignee, h.due_at, h.on_timeout, h.required_approvals, changed.at
      FROM changed CROSS JOIN LATERAL jsonb_to_record(changed.human_request)
       AS h(id uuid, tool_call_id text, type text, title text, description text, questions jsonb, assignee text,
            due_at timestamptz(3), on_timeout text, required_approvals int)
     WHERE changed.human_request IS NOT NULL),
  ended AS MATERIALIZED (
    SELECT changed.*, ends_clean AND tool_calls < 2 AND NOT EXISTS (
             SELECT FROM run_step WHERE run_step.run_id = changed.run_id AND run_step.status = 'failed') AS is_clean
      FROM changed WHERE evaluation_id IS NOT NULL),
  evaluated AS (
    INSERT INTO run_evaluation (run_id, id, team_id, agent_id, build_id, status, attempts, due_at, ended_at,
                                created_at, passed, total, has_issues, results)
    SELECT run_id, evaluation_id, team_id, agent_id, build_id, CASE WHEN is_clean THEN 'ready' ELSE 'in_progress' END,
           0, now(), completed_at, at, CASE WHEN is_clean THEN 4 ELSE 0 END,
           CASE WHEN is_clean THEN 4 ELSE 0 END, CASE WHEN is_clean THEN false END,
           CASE WHEN is_clean THEN '[{"key":"no_tool_errors","title":"No tool errors","version":1,"passed":true,"severity":"medium","comment":"No tool call ended with an error."},{"key":"no_retries_exhausted","title":"No retries exhausted","version":1,"passed":true,"severity":"critical","comment":"No call was given up after its last retry."},{"key":"ended_with_answer","title":"Ended with an answer","version":1,"passed":true,"severity":"critical","comment":"The run has a result."},{"key":"no_repeated_tool_calls","title":"No repeated tool calls","version":1,"passed":true,"severity":"low","comment":"No tool was called again with the same arguments right after."}]'::jsonb ELSE '[]' END
      FROM ended
    ON CONFLICT (run_id) DO UPDATE SET status = 'in_progress', attempts = 0, due_at = now(),
      ended_at = excluded.ended_at
    RETURNING run_id, status),
  counted AS (
    INSERT INTO run_tally (team_id, agent_id, user_id, case_queue_id, source, status, runs)
    SELECT team_id, agent_id, user_id, case_queue_id, source, status, sum(runs)
      FROM (SELECT team_id, agent_id, user_id, case_queue_id, source, status, 1 AS runs FROM changed WHERE status IN ('completed', 'failed', 'stopped')
             UNION ALL
            SELECT team_id, agent_id, user_id, case_queue_id, source, reopened_from, -1
              FROM changed WHERE reopened_from IS NOT NULL) AS ends
     GROUP BY team_id, agent_id, user_id, case_queue_id, source, status),
  followed_cases AS (
    UPDATE queue_case SET
           status = CASE WHEN changed.status IN ('completed', 'failed', 'stopped') THEN 'failed' ELSE 'pending' END,
           completed_at = CASE WHEN changed.status IN ('completed', 'failed', 'stopped') THEN changed.at END,
           pending_human_request_id = CASE WHEN changed.status = 'waiting'
             THEN coalesce(changed.case_request_id, queue_case.pending_human_request_id) END,
           updated_at = greatest(changed.at, queue_case.updated_at)
      FROM changed
     WHERE changed.case_id IS NOT NULL AND queue_case.id = changed.case_id
       AND queue_case.claimed_by_run_id = changed.run_id AND queue_case.status = 'pending'
       AND (changed.status IN ('completed', 'failed', 'stopped') OR changed.case_request_id IS NOT NULL
            OR (changed.status <> 'waiting' AND queue_case.pending_human_request_id IS NOT NULL))
    RETURNING queue_case.*, changed.at, changed.run_id, changed.case_event_id, changed.case_outbox_id,
              changed.case_reason, changed.case_meta),
  left_cases AS (SELECT * FROM followed_cases WHERE status = 'failed'),
  left_case_events AS (
    INSERT INTO case_event (id, case_id, type, actor, reason, created_at)
    SELECT case_event_id, id, 'failed', jsonb_build_object('type', 'run', 'id', run_id), case_reason, at
      FROM left_cases),
  left_case_counts AS (
    INSERT INTO case_tally (queue_id, status, rank, cases)
    SELECT queue_id, kept.status, rank, sum(kept.cases)
      FROM left_cases CROSS JOIN (VALUES ('pending', -1), ('failed', 1)) AS kept(status, cases)
     GROUP BY queue_id, kept.status, rank),
  left_case_published_batch AS (
    INSERT INTO outbox_batch (size)
    SELECT count(*) FROM left_cases HAVING count(*) > 0
    RETURNING id AS batch_id),
  left_case_published AS (
    INSERT INTO logged_event (batch_id, place, id, event, team_id, run_id, run_seq, data, meta, created_at)
    SELECT batch_id, row_number() OVER (ORDER BY case_outbox_id), case_outbox_id, 'queue.case.completed', team_id,
           NULL::uuid, NULL::int, jsonb_strip_nulls(jsonb_build_object('case_id', left_cases.id, 'queue_id', left_cases.queue_id,
    'title', left_cases.title, 'status', status, 'run_id', run_id)), case_meta, at
      FROM left_case_published_batch CROSS JOIN left_cases)
SELECT n, run_id, team_id, parent_run_id, case_queue_id, status, message_base, message_seq, event_seq, dispatches,
       steps, tool_calls, input_tokens, output_tokens, started_at, completed_at, updated_at,
       CASE WHEN EXISTS (SELECT FROM evaluated WHERE evaluated.run_id = changed.run_id AND evaluated.status = 'ready')
            THEN '{"passed":4,"total":4,"has_issues":false}'::jsonb END AS eval_summary
  FROM changed;

-- runChangeForms, parts of every change (src/run-core/changes/run-changes.sql.ts)
WITH input AS MATERIALIZED (
  SELECT * FROM jsonb_to_recordset($1::jsonb) AS i(
    n int, at timestamptz(3), run_id uuid, from_statuses text[], token uuid, expected_steps int, seen_seq int,
    status text, result text, error jsonb, stop_reason text, script_position int, active_ms bigint, tool_calls int,
    input_tokens bigint, output_tokens bigint, step jsonb, closes_step text, reopened_from text,
    keeps_lease boolean, settles_doubt boolean, requeue_after_ms bigint, evaluation_id uuid, ends_clean boolean, message_count int, message_bytes bigint, event_count int, messages jsonb, events jsonb)
   ORDER BY run_id, n),
  changed AS (
    UPDATE run SET
      status = input.status,
      result = CASE input.status WHEN 'completed' THEN input.result ELSE run.result END,
      error = input.error,
      stop_reason = input.stop_reason,
      completed_at = CASE WHEN input.status IN ('completed', 'failed', 'stopped') THEN greatest(input.at, run.started_at, run.created_at) END,
      script_position = coalesce(input.script_position, run.script_position),
      steps = run.steps + CASE WHEN input.step IS NOT NULL THEN 1
        WHEN input.closes_step IS NOT NULL AND EXISTS (
          SELECT 1 FROM run_step WHERE run_step.run_id = run.id AND run_step.step_index = run.steps + 1
             AND run_step.status = 'running') THEN 1
        ELSE 0 END,
      tool_calls = run.tool_calls + input.tool_calls,
      input_tokens = run.input_tokens + input.input_tokens,
      output_tokens = run.output_tokens + input.output_tokens,
      message_seq = run.message_seq + input.message_count,
      message_bytes = run.message_bytes + input.message_bytes,
      takeovers = CASE WHEN input.step IS NULL AND input.reopened_from IS NULL THEN run.takeovers ELSE 0 END,
      event_seq = run.event_seq + input.event_count,
      reopened = run.reopened + CASE WHEN input.reopened_from IS NULL THEN 0 ELSE 1 END,
      limits_from_steps = CASE WHEN input.reopened_from IS NULL THEN run.limits_from_steps ELSE run.steps END,
      limits_from_tokens = CASE WHEN input.reopened_from IS NULL THEN run.limits_from_tokens
                                ELSE run.input_tokens + run.output_tokens END,
      active_ms = CASE WHEN input.reopened_from IS NULL THEN run.active_ms + input.active_ms ELSE 0 END,
      dispatches = run.dispatches + CASE WHEN input.requeue_after_ms IS NULL THEN 0 ELSE 1 END,
      queued_at = CASE WHEN input.requeue_after_ms IS NULL THEN run.queued_at
                       ELSE now() + input.requeue_after_ms * interval '1 ms' END,
      wake_at = CASE WHEN input.requeue_after_ms > 0 THEN now() + input.requeue_after_ms * interval '1 ms'
                     WHEN input.keeps_lease THEN run.wake_at END,
      lease_token = CASE WHEN input.keeps_lease THEN run.lease_token END,
      lease_until = CASE WHEN input.keeps_lease THEN run.lease_until END,
      timeline = CASE WHEN input.settles_doubt THEN (SELECT server_timeline() || CASE
  WHEN current_setting('synchronous_standby_names') = '' OR current_setting('synchronous_commit') IN ('off', 'local')
  THEN '' ELSE '/synchronous' END) ELSE run.timeline END,
      updated_at = greatest(input.at, run.updated_at)
      FROM input
     WHERE run.id = input.run_id
       AND run.status = ANY (input.from_statuses)
       AND (input.token IS NULL OR run.lease_token = input.token)
       AND (input.expected_steps IS NULL OR run.steps = input.expected_steps)
       AND (input.seen_seq IS NULL OR run.message_seq = input.seen_seq)
    RETURNING input.n, input.at, input.messages, input.events, input.step, input.closes_step, input.reopened_from,
      run.id AS run_id, run.parent_run_id, run.webhook_url, run.message_seq, run.event_seq, run.dispatches,
      run.message_seq - input.message_count AS message_base, run.event_seq - input.event_count AS event_base,
      run.build_id, run.case_id, run.steps, run.tool_calls, run.input_tokens, run.output_tokens, run.started_at, run.completed_at, run.updated_at, run.team_id, run.agent_id, run.user_id, run.case_queue_id, run.source, run.status, input.evaluation_id, input.ends_clean),
  
  stored_messages AS (
    INSERT INTO run_message (run_id, seq, id, type, role, text_content, tool_call, tool_result, created_at)
    SELECT changed.run_id, changed.message_base + m.place, m.id, m.type, m.role, m.text_content, m.tool_call,
           m.tool_result, changed.at
      FROM changed CROSS JOIN LATERAL jsonb_to_recordset(changed.messages)
       AS m(place int, id uuid, type text, role text, text_content text, tool_call jsonb, tool_result jsonb)),
  noted AS (
    SELECT changed.run_id, changed.event_base + e.number AS seq, changed.n, e.place, e.id, e.event, e.team_id,
           e.data, e.meta, changed.webhook_url, changed.at
      FROM changed CROSS JOIN LATERAL jsonb_to_recordset(changed.events)
       AS e(place int, number int, id uuid, event text, team_id uuid, data jsonb, meta jsonb)),
  published_batch AS (
    INSERT INTO outbox_batch (size)
    SELECT count(*) FROM noted HAVING count(*) > 0
    RETURNING id AS batch_id),
  published AS (
    INSERT INTO logged_event (batch_id, place, id, event, team_id, run_id, run_seq, data, meta, created_at)
    SELECT batch_id, row_number() OVER (ORDER BY n, place), id, event, team_id,
           CASE WHEN seq IS NOT NULL THEN run_id END, seq, data, CASE WHEN seq IS NULL THEN meta ELSE meta || CASE WHEN webhook_url IS NOT NULL AND event IN ('human_request.created', 'run.completed', 'run.failed', 'run.paused', 'run.started')
    THEN jsonb_build_object('callback_url', webhook_url) ELSE '{}'::jsonb END END, at
      FROM published_batch CROSS JOIN noted),
  stored_steps AS (
    INSERT INTO run_step (run_id, step_index, name, kind, status, attempts, input_tokens, output_tokens,
                          tool_calls, error, started_at, completed_at)
    SELECT changed.run_id, changed.steps, s.name, s.kind, s.status, s.attempts, s.input_tokens, s.output_tokens,
           s.tool_calls, s.error, s.started_at, s.completed_at
      FROM changed CROSS JOIN LATERAL jsonb_to_record(changed.step)
       AS s(name text, kind text, status text, attempts int, input_tokens int, output_tokens int,
            tool_calls int, error text, started_at timestamptz(3), completed_at timestamptz(3))
     WHERE changed.step IS NOT NULL
    ON CONFLICT (run_id, step_index) DO UPDATE SET kind = excluded.kind, status = excluded.status,
      attempts = excluded.attempts, error = excluded.error, completed_at = excluded.completed_at),
  ended AS MATERIALIZED (
    SELECT changed.*, ends_clean AND tool_calls < 2 AND NOT EXISTS (
             SELECT FROM run_step WHERE run_step.run_id = changed.run_id AND run_step.status = 'failed') AS is_clean
      FROM changed WHERE evaluation_id IS NOT NULL),
  evaluated AS (
    INSERT INTO run_evaluation (run_id, id, team_id, agent_id, build_id, status, attempts, due_at, ended_at,
                                created_at, passed, total, has_issues, results)
    SELECT run_id, evaluation_id, team_id, agent_id, build_id, CASE WHEN is_clean THEN 'ready' ELSE 'in_progress' END,
           0, now(), completed_at, at, CASE WHEN is_clean THEN 4 ELSE 0 END,
           CASE WHEN is_clean THEN 4 ELSE 0 END, CASE WHEN is_clean THEN false END,
           CASE WHEN is_clean THEN '[{"key":"no_tool_errors","title":"No tool errors","version":1,"passed":true,"severity":"medium","comment":"No tool call ended with an error."},{"key":"no_retries_exhausted","title":"No retries exhausted","version":1,"passed":true,"severity":"critical","comment":"No call was given up after its last retry."},{"key":"ended_with_answer","title":"Ended with an answer","version":1,"passed":true,"severity":"critical","comment":"The run has a result."},{"key":"no_repeated_tool_calls","title":"No repeated tool calls","version":1,"passed":true,"severity":"low","comment":"No tool was called again with the same arguments right after."}]'::jsonb ELSE '[]' END
      FROM ended
    ON CONFLICT (run_id) DO UPDATE SET status = 'in_progress', attempts = 0, due_at = now(),
      ended_at = excluded.ended_at
    RETURNING run_id, status),
  counted AS (
    INSERT INTO run_tally (team_id, agent_id, user_id, case_queue_id, source, status, runs)
    SELECT team_id, agent_id, user_id, case_queue_id, source, status, sum(runs)
      FROM (SELECT team_id, agent_id, user_id, case_queue_id, source, status, 1 AS runs FROM changed WHERE status IN ('completed', 'failed', 'stopped')
             UNION ALL
            SELECT team_id, agent_id, user_id, case_queue_id, source, reopened_from, -1
              FROM changed WHERE reopened_from IS NOT NULL) AS ends
     GROUP BY team_id, agent_id, user_id, case_queue_id, source, status)
SELECT n, run_id, team_id, parent_run_id, case_queue_id, status, message_base, message_seq, event_seq, dispatches,
       steps, tool_calls, input_tokens, output_tokens, started_at, completed_at, updated_at,
       CASE WHEN EXISTS (SELECT FROM evaluated WHERE evaluated.run_id = changed.run_id AND evaluated.status = 'ready')
            THEN '{"passed":4,"total":4,"has_issues":false}'::jsonb END AS eval_summary
  FROM changed;
