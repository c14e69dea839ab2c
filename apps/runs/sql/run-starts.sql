-- Written by `npm run sql`; do not edit.

-- runStartForms, all parts (src/run-core/starts/run-starts.sql.ts)
WITH input AS MATERIALIZED (
  SELECT * FROM jsonb_to_recordset($1::jsonb) AS i(
    n int, at timestamptz(3), behind int, id uuid, team_id uuid, agent_id uuid, agent_name text, build_id uuid, build_digest text, title text, source text, sandbox_id uuid, user_id uuid, schedule_id uuid, case_id uuid, case_title text, case_queue_id uuid, case_queue_name text, human_in_the_loop_enabled boolean, metadata jsonb, webhook_url text, traceparent text, parent_run_id uuid, parent_call_id text, depth int, searched_title text, case_event_id uuid, build jsonb, token uuid, lease_ms bigint, scope text, operation_id text, fingerprint text, answer_status smallint, answer_body text, message_count int, message_bytes bigint, event_count int, messages jsonb, events jsonb)),
  checked AS (SELECT input.*, CASE WHEN input.build IS NULL AND NOT EXISTS (SELECT FROM build_copy WHERE build_copy.digest = input.build_digest) THEN 'build missing' WHEN EXISTS (SELECT FROM deleted_agent WHERE deleted_agent.agent_id = input.agent_id) THEN 'agent deleted' END AS refusal FROM input),
  free AS (SELECT * FROM checked WHERE refusal IS NULL),
  parents AS MATERIALIZED (
    SELECT run.id FROM run JOIN input ON input.parent_run_id = run.id
     WHERE run.status = 'running' ORDER BY run.id FOR SHARE OF run),
  counted AS (
    INSERT INTO run_counter (agent_id, last)
    SELECT agent_id, taken FROM jsonb_to_recordset($2::jsonb) AS a(agent_id uuid, taken int)
    ON CONFLICT (agent_id) DO UPDATE SET last = run_counter.last + excluded.last
    RETURNING agent_id, last),
  keyed AS (INSERT INTO idempotency_record (scope, operation_id, fingerprint, status, body, expires_at)
    SELECT scope, operation_id, fingerprint, answer_status, answer_body, now() + interval '24 hours'
      FROM (
    SELECT scope, operation_id, fingerprint, answer_status,
           replace(answer_body, '"run_number":0,', '"run_number":' || ((SELECT jsonb_object_agg(agent_id, last) FROM counted) ->> free.agent_id::text)::int - free.behind || ',') AS answer_body
      FROM free WHERE scope IS NOT NULL) AS answers WHERE scope IS NOT NULL
    ON CONFLICT (scope) DO UPDATE SET operation_id = excluded.operation_id, fingerprint = excluded.fingerprint,
      status = excluded.status, body = excluded.body, lease_token = NULL, lease_until = NULL,
      expires_at = excluded.expires_at
      WHERE idempotency_record.expires_at <= now()
    RETURNING scope),
  accepted AS (
    SELECT * FROM free WHERE (scope IS NULL OR scope IN (SELECT scope FROM keyed))
       AND (parent_run_id IS NULL OR parent_run_id IN (SELECT id FROM parents))),
  copied AS (
    INSERT INTO build_copy (digest, build) SELECT DISTINCT ON (build_digest) build_digest, build FROM accepted
     WHERE build IS NOT NULL
    ON CONFLICT (digest) DO NOTHING),
  made AS (
    INSERT INTO run (id, team_id, agent_id, agent_name, build_id, build_digest, title, source, sandbox_id, user_id, schedule_id, case_id, case_title, case_queue_id, case_queue_name, human_in_the_loop_enabled, metadata, webhook_url, traceparent, parent_run_id, parent_call_id, depth, run_number, status, started_at, lease_token, lease_until, steps, tool_calls, input_tokens,
                     output_tokens, script_position, message_seq, message_bytes, event_seq, reopened,
                     limits_from_steps, limits_from_tokens, active_ms, dispatches, timeline, queued_at, created_at,
                     updated_at)
    SELECT id, team_id, agent_id, agent_name, build_id, build_digest, title, source, sandbox_id, user_id, schedule_id, case_id, case_title, case_queue_id, case_queue_name, human_in_the_loop_enabled, metadata, webhook_url, traceparent, parent_run_id, parent_call_id, depth, ((SELECT jsonb_object_agg(agent_id, last) FROM counted) ->> accepted.agent_id::text)::int - accepted.behind, CASE WHEN token IS NULL THEN 'pending' ELSE 'running' END,
           CASE WHEN token IS NULL THEN NULL ELSE at END, token, now() + lease_ms * interval '1 ms',
           0, 0, 0, 0, 0, message_count, message_bytes, event_count, 0, 0, 0, 0, 0, (SELECT server_timeline() || CASE
  WHEN current_setting('synchronous_standby_names') = '' OR current_setting('synchronous_commit') IN ('off', 'local')
  THEN '' ELSE '/synchronous' END), now(), at, at
      FROM accepted
    ON CONFLICT (id) DO NOTHING
    RETURNING id, run_number),
  changed AS (
    SELECT accepted.n, accepted.at, accepted.messages, accepted.events, accepted.team_id,
           accepted.case_id, accepted.webhook_url, made.id AS run_id, made.run_number, 0 AS message_base, 0 AS event_base, accepted.searched_title, accepted.case_event_id
      FROM made JOIN accepted ON accepted.id = made.id),
  titled AS (
    INSERT INTO run_title (run_id, team_id, title) SELECT run_id, team_id, searched_title FROM changed),
  fired AS (DELETE FROM scheduled_start USING accepted WHERE scheduled_start.run_id = accepted.id),
  claimed_cases AS (
    UPDATE queue_case SET claimed_by_run_id = changed.run_id, claimed_at = changed.at, postponed_to = NULL,
           reserved_agent_id = NULL, updated_at = greatest(changed.at, queue_case.updated_at)
      FROM changed WHERE queue_case.id = changed.case_id),
  claim_events AS (
    INSERT INTO case_event (id, case_id, type, actor, created_at)
    SELECT case_event_id, case_id, 'claimed', jsonb_build_object('type', 'run', 'id', run_id), at
      FROM changed WHERE case_id IS NOT NULL),
  
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
      FROM published_batch CROSS JOIN noted)
SELECT input.n,
       CASE WHEN accepted.n IS NOT NULL THEN NULL
            WHEN free.n IS NULL THEN input.refusal
            WHEN free.parent_run_id IS NOT NULL THEN 'parent ended'
            ELSE 'key taken' END AS refused,
       changed.n IS NOT NULL AS made, changed.run_number
  FROM checked AS input LEFT JOIN free USING (n) LEFT JOIN accepted USING (n) LEFT JOIN changed USING (n);

-- runStartForms, parts of every start (src/run-core/starts/run-starts.sql.ts)
WITH input AS MATERIALIZED (
  SELECT * FROM jsonb_to_recordset($1::jsonb) AS i(
    n int, at timestamptz(3), behind int, id uuid, team_id uuid, agent_id uuid, agent_name text, build_id uuid, build_digest text, title text, source text, sandbox_id uuid, user_id uuid, schedule_id uuid, case_id uuid, case_title text, case_queue_id uuid, case_queue_name text, human_in_the_loop_enabled boolean, metadata jsonb, webhook_url text, traceparent text, parent_run_id uuid, parent_call_id text, depth int, searched_title text, build jsonb, token uuid, lease_ms bigint, scope text, operation_id text, fingerprint text, answer_status smallint, answer_body text, message_count int, message_bytes bigint, event_count int, messages jsonb, events jsonb)),
  checked AS (SELECT input.*, CASE WHEN input.build IS NULL AND NOT EXISTS (SELECT FROM build_copy WHERE build_copy.digest = input.build_digest) THEN 'build missing' WHEN EXISTS (SELECT FROM deleted_agent WHERE deleted_agent.agent_id = input.agent_id) THEN 'agent deleted' END AS refusal FROM input),
  free AS (SELECT * FROM checked WHERE refusal IS NULL),
  counted AS (
    INSERT INTO run_counter (agent_id, last)
    SELECT agent_id, taken FROM jsonb_to_recordset($2::jsonb) AS a(agent_id uuid, taken int)
    ON CONFLICT (agent_id) DO UPDATE SET last = run_counter.last + excluded.last
    RETURNING agent_id, last),
  keyed AS (INSERT INTO idempotency_record (scope, operation_id, fingerprint, status, body, expires_at)
    SELECT scope, operation_id, fingerprint, answer_status, answer_body, now() + interval '24 hours'
      FROM (
    SELECT scope, operation_id, fingerprint, answer_status,
           replace(answer_body, '"run_number":0,', '"run_number":' || ((SELECT jsonb_object_agg(agent_id, last) FROM counted) ->> free.agent_id::text)::int - free.behind || ',') AS answer_body
      FROM free WHERE scope IS NOT NULL) AS answers WHERE scope IS NOT NULL
    ON CONFLICT (scope) DO UPDATE SET operation_id = excluded.operation_id, fingerprint = excluded.fingerprint,
      status = excluded.status, body = excluded.body, lease_token = NULL, lease_until = NULL,
      expires_at = excluded.expires_at
      WHERE idempotency_record.expires_at <= now()
    RETURNING scope),
  accepted AS (
    SELECT * FROM free WHERE (scope IS NULL OR scope IN (SELECT scope FROM keyed))
       AND (parent_run_id IS NULL)),
  copied AS (
    INSERT INTO build_copy (digest, build) SELECT DISTINCT ON (build_digest) build_digest, build FROM accepted
     WHERE build IS NOT NULL
    ON CONFLICT (digest) DO NOTHING),
  made AS (
    INSERT INTO run (id, team_id, agent_id, agent_name, build_id, build_digest, title, source, sandbox_id, user_id, schedule_id, case_id, case_title, case_queue_id, case_queue_name, human_in_the_loop_enabled, metadata, webhook_url, traceparent, parent_run_id, parent_call_id, depth, run_number, status, started_at, lease_token, lease_until, steps, tool_calls, input_tokens,
                     output_tokens, script_position, message_seq, message_bytes, event_seq, reopened,
                     limits_from_steps, limits_from_tokens, active_ms, dispatches, timeline, queued_at, created_at,
                     updated_at)
    SELECT id, team_id, agent_id, agent_name, build_id, build_digest, title, source, sandbox_id, user_id, schedule_id, case_id, case_title, case_queue_id, case_queue_name, human_in_the_loop_enabled, metadata, webhook_url, traceparent, parent_run_id, parent_call_id, depth, ((SELECT jsonb_object_agg(agent_id, last) FROM counted) ->> accepted.agent_id::text)::int - accepted.behind, CASE WHEN token IS NULL THEN 'pending' ELSE 'running' END,
           CASE WHEN token IS NULL THEN NULL ELSE at END, token, now() + lease_ms * interval '1 ms',
           0, 0, 0, 0, 0, message_count, message_bytes, event_count, 0, 0, 0, 0, 0, (SELECT server_timeline() || CASE
  WHEN current_setting('synchronous_standby_names') = '' OR current_setting('synchronous_commit') IN ('off', 'local')
  THEN '' ELSE '/synchronous' END), now(), at, at
      FROM accepted
    ON CONFLICT (id) DO NOTHING
    RETURNING id, run_number),
  changed AS (
    SELECT accepted.n, accepted.at, accepted.messages, accepted.events, accepted.team_id,
           accepted.case_id, accepted.webhook_url, made.id AS run_id, made.run_number, 0 AS message_base, 0 AS event_base, accepted.searched_title
      FROM made JOIN accepted ON accepted.id = made.id),
  titled AS (
    INSERT INTO run_title (run_id, team_id, title) SELECT run_id, team_id, searched_title FROM changed),
  
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
      FROM published_batch CROSS JOIN noted)
SELECT input.n,
       CASE WHEN accepted.n IS NOT NULL THEN NULL
            WHEN free.n IS NULL THEN input.refusal
            WHEN free.parent_run_id IS NOT NULL THEN 'parent ended'
            ELSE 'key taken' END AS refused,
       changed.n IS NOT NULL AS made, changed.run_number
  FROM checked AS input LEFT JOIN free USING (n) LEFT JOIN accepted USING (n) LEFT JOIN changed USING (n);
