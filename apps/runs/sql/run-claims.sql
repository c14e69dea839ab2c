-- Written by `npm run sql`; do not edit.

-- claimRuns (src/run-core/claims/run-claims.sql.ts)
WITH input AS MATERIALIZED (SELECT * FROM jsonb_to_recordset($1::jsonb) AS i(at timestamptz(3), traced boolean, run_id uuid, token uuid, event_id uuid)),
  free AS MATERIALIZED (SELECT run.id, input.token, input.event_id, input.at, input.traced, run.started_at IS NULL AS first, run.wake_at IS NOT NULL AS slept
     FROM run JOIN input ON input.run_id = run.id
    WHERE (run.status = 'pending' OR (run.status = 'running' AND run.lease_token IS NULL
  AND (run.wake_at IS NULL OR run.wake_at <= now())))
    ORDER BY run.id
      FOR UPDATE OF run),
  taken AS (
    UPDATE run SET
      status = 'running',
      started_at = coalesce(run.started_at, greatest(free.at, run.created_at)),
      lease_token = free.token,
      lease_until = now() + $2::bigint * interval '1 ms',
      wake_at = NULL,
      timeline = coalesce(run.timeline, (SELECT server_timeline() || CASE
  WHEN current_setting('synchronous_standby_names') = '' OR current_setting('synchronous_commit') IN ('off', 'local')
  THEN '' ELSE '/synchronous' END)),
      event_seq = run.event_seq + CASE WHEN free.first THEN 1 ELSE 0 END,
      updated_at = greatest(free.at, run.updated_at)
      FROM free
     WHERE run.id = free.id
    RETURNING free.at, free.event_id, free.traced, free.first, free.slept, free.token,
      extract(epoch FROM now() - run.queued_at)::float8 AS waited,
      coalesce(CASE
  WHEN run.timeline LIKE '%/synchronous'
  THEN split_part(run.timeline, '/', 1) <> split_part((SELECT server_timeline()), '/', 1)
  ELSE run.timeline <> (SELECT server_timeline()) END, false) AS in_doubt, run.webhook_url, run.agent_name,
      run.id, run.team_id, run.agent_id, run.build_id, run.source, run.case_id, run.schedule_id, run.reopened, run.build_digest, run.sandbox_id, run.traceparent, run.human_in_the_loop_enabled, run.steps, run.script_position, run.message_seq, run.message_bytes, run.event_seq, run.limits_from_steps, run.limits_from_tokens, run.input_tokens, run.output_tokens, run.active_ms),
  started AS (
    SELECT id, team_id, event_seq, event_id, at,
           jsonb_strip_nulls(jsonb_build_object('traceparent', CASE WHEN traced THEN traceparent END)) ||
             CASE WHEN webhook_url IS NOT NULL AND $3::text IN ('human_request.created', 'run.completed', 'run.failed', 'run.paused', 'run.started')
    THEN jsonb_build_object('callback_url', webhook_url) ELSE '{}'::jsonb END ||
             jsonb_build_object('usage', jsonb_build_object('agent_id', agent_id, 'agent_name', agent_name)) AS meta,
           jsonb_strip_nulls(jsonb_build_object('run_id', id, 'status', 'running', 'agent_id', agent_id,
             'build_id', build_id, 'team_id', team_id, 'source', source, 'case_id', case_id)) AS data
      FROM taken WHERE first),
  published_batch AS (
    INSERT INTO outbox_batch (size)
    SELECT count(*) FROM started HAVING count(*) > 0
    RETURNING id AS batch_id),
  published AS (
    INSERT INTO logged_event (batch_id, place, id, event, team_id, run_id, run_seq, data, meta, created_at)
    SELECT batch_id, row_number() OVER (ORDER BY event_id), event_id, $3::text, team_id,
           id, event_seq, data, meta, at
      FROM published_batch CROSS JOIN started),
  woken AS (
    UPDATE run_step SET status = 'completed', completed_at = taken.at
      FROM taken WHERE taken.slept AND run_step.run_id = taken.id AND run_step.status = 'running'
       AND run_step.kind = 'wait')
SELECT taken.first, taken.slept, taken.token, taken.waited, taken.in_doubt, taken.id, taken.team_id, taken.agent_id, taken.build_id, taken.source, taken.case_id, taken.schedule_id, taken.reopened, taken.build_digest, taken.sandbox_id, taken.traceparent, taken.human_in_the_loop_enabled, taken.steps, taken.script_position, taken.message_seq, taken.message_bytes, taken.event_seq, taken.limits_from_steps, taken.limits_from_tokens, taken.input_tokens, taken.output_tokens, taken.active_ms, history.messages
  FROM taken
  LEFT JOIN LATERAL (
    SELECT jsonb_agg(jsonb_build_object('seq', seq, 'type', type, 'role', role, 'text_content', text_content,
             'tool_call', tool_call, 'tool_result', tool_result) ORDER BY seq) AS messages
      FROM run_message WHERE run_message.run_id = taken.id) AS history
    ON taken.message_seq <= 100 AND taken.message_bytes <= 262144;

-- claimOldestRuns (src/run-core/claims/run-claims.sql.ts)
WITH input AS MATERIALIZED (SELECT * FROM jsonb_to_recordset($1::jsonb) AS i(at timestamptz(3), traced boolean, team_id uuid, tokens uuid[], event_ids uuid[])),
  free AS MATERIALIZED (SELECT id, tokens[place] AS token, event_ids[place] AS event_id, at, traced, first, slept
     FROM (SELECT input.*, run.id, run.first, run.slept,
                  row_number() OVER (PARTITION BY input.team_id) AS place
             FROM input CROSS JOIN LATERAL (
               SELECT run.id, run.started_at IS NULL AS first, run.wake_at IS NOT NULL AS slept FROM run
                WHERE run.team_id = input.team_id AND run.status IN ('pending', 'running')
                  AND run.queued_at <= now() AND (run.status = 'pending' OR (run.status = 'running' AND run.lease_token IS NULL
  AND (run.wake_at IS NULL OR run.wake_at <= now()))) AND run.takeovers < 3
                ORDER BY run.queued_at, run.id
                LIMIT cardinality(input.tokens)
                  FOR UPDATE SKIP LOCKED) AS run) AS oldest),
  taken AS (
    UPDATE run SET
      status = 'running',
      started_at = coalesce(run.started_at, greatest(free.at, run.created_at)),
      lease_token = free.token,
      lease_until = now() + $2::bigint * interval '1 ms',
      wake_at = NULL,
      timeline = coalesce(run.timeline, (SELECT server_timeline() || CASE
  WHEN current_setting('synchronous_standby_names') = '' OR current_setting('synchronous_commit') IN ('off', 'local')
  THEN '' ELSE '/synchronous' END)),
      event_seq = run.event_seq + CASE WHEN free.first THEN 1 ELSE 0 END,
      updated_at = greatest(free.at, run.updated_at)
      FROM free
     WHERE run.id = free.id
    RETURNING free.at, free.event_id, free.traced, free.first, free.slept, free.token,
      extract(epoch FROM now() - run.queued_at)::float8 AS waited,
      coalesce(CASE
  WHEN run.timeline LIKE '%/synchronous'
  THEN split_part(run.timeline, '/', 1) <> split_part((SELECT server_timeline()), '/', 1)
  ELSE run.timeline <> (SELECT server_timeline()) END, false) AS in_doubt, run.webhook_url, run.agent_name,
      run.id, run.team_id, run.agent_id, run.build_id, run.source, run.case_id, run.schedule_id, run.reopened, run.build_digest, run.sandbox_id, run.traceparent, run.human_in_the_loop_enabled, run.steps, run.script_position, run.message_seq, run.message_bytes, run.event_seq, run.limits_from_steps, run.limits_from_tokens, run.input_tokens, run.output_tokens, run.active_ms),
  started AS (
    SELECT id, team_id, event_seq, event_id, at,
           jsonb_strip_nulls(jsonb_build_object('traceparent', CASE WHEN traced THEN traceparent END)) ||
             CASE WHEN webhook_url IS NOT NULL AND $3::text IN ('human_request.created', 'run.completed', 'run.failed', 'run.paused', 'run.started')
    THEN jsonb_build_object('callback_url', webhook_url) ELSE '{}'::jsonb END ||
             jsonb_build_object('usage', jsonb_build_object('agent_id', agent_id, 'agent_name', agent_name)) AS meta,
           jsonb_strip_nulls(jsonb_build_object('run_id', id, 'status', 'running', 'agent_id', agent_id,
             'build_id', build_id, 'team_id', team_id, 'source', source, 'case_id', case_id)) AS data
      FROM taken WHERE first),
  published_batch AS (
    INSERT INTO outbox_batch (size)
    SELECT count(*) FROM started HAVING count(*) > 0
    RETURNING id AS batch_id),
  published AS (
    INSERT INTO logged_event (batch_id, place, id, event, team_id, run_id, run_seq, data, meta, created_at)
    SELECT batch_id, row_number() OVER (ORDER BY event_id), event_id, $3::text, team_id,
           id, event_seq, data, meta, at
      FROM published_batch CROSS JOIN started),
  woken AS (
    UPDATE run_step SET status = 'completed', completed_at = taken.at
      FROM taken WHERE taken.slept AND run_step.run_id = taken.id AND run_step.status = 'running'
       AND run_step.kind = 'wait')
SELECT taken.first, taken.slept, taken.token, taken.waited, taken.in_doubt, taken.id, taken.team_id, taken.agent_id, taken.build_id, taken.source, taken.case_id, taken.schedule_id, taken.reopened, taken.build_digest, taken.sandbox_id, taken.traceparent, taken.human_in_the_loop_enabled, taken.steps, taken.script_position, taken.message_seq, taken.message_bytes, taken.event_seq, taken.limits_from_steps, taken.limits_from_tokens, taken.input_tokens, taken.output_tokens, taken.active_ms, history.messages
  FROM taken
  LEFT JOIN LATERAL (
    SELECT jsonb_agg(jsonb_build_object('seq', seq, 'type', type, 'role', role, 'text_content', text_content,
             'tool_call', tool_call, 'tool_result', tool_result) ORDER BY seq) AS messages
      FROM run_message WHERE run_message.run_id = taken.id) AS history
    ON taken.message_seq <= 100 AND taken.message_bytes <= 262144;

-- claimOldestPlaced (src/run-core/claims/run-claims.sql.ts)
WITH input AS MATERIALIZED (SELECT * FROM jsonb_to_recordset($1::jsonb) AS i(at timestamptz(3), traced boolean, team_id uuid, tokens uuid[], event_ids uuid[])),
  free AS MATERIALIZED (SELECT id, tokens[place] AS token, event_ids[place] AS event_id, at, traced, first, slept
     FROM (SELECT input.*, run.id, run.first, run.slept,
                  row_number() OVER (PARTITION BY input.team_id) AS place
             FROM input CROSS JOIN LATERAL (
               SELECT run.id, run.started_at IS NULL AS first, run.wake_at IS NOT NULL AS slept FROM run
                WHERE run.team_id = input.team_id AND run.status IN ('pending', 'running') AND (run.status = 'running' OR run.parent_run_id IS NOT NULL)
                  AND run.queued_at <= now() AND (run.status = 'pending' OR (run.status = 'running' AND run.lease_token IS NULL
  AND (run.wake_at IS NULL OR run.wake_at <= now()))) AND run.takeovers < 3
                ORDER BY run.queued_at, run.id
                LIMIT cardinality(input.tokens)
                  FOR UPDATE SKIP LOCKED) AS run) AS oldest),
  taken AS (
    UPDATE run SET
      status = 'running',
      started_at = coalesce(run.started_at, greatest(free.at, run.created_at)),
      lease_token = free.token,
      lease_until = now() + $2::bigint * interval '1 ms',
      wake_at = NULL,
      timeline = coalesce(run.timeline, (SELECT server_timeline() || CASE
  WHEN current_setting('synchronous_standby_names') = '' OR current_setting('synchronous_commit') IN ('off', 'local')
  THEN '' ELSE '/synchronous' END)),
      event_seq = run.event_seq + CASE WHEN free.first THEN 1 ELSE 0 END,
      updated_at = greatest(free.at, run.updated_at)
      FROM free
     WHERE run.id = free.id
    RETURNING free.at, free.event_id, free.traced, free.first, free.slept, free.token,
      extract(epoch FROM now() - run.queued_at)::float8 AS waited,
      coalesce(CASE
  WHEN run.timeline LIKE '%/synchronous'
  THEN split_part(run.timeline, '/', 1) <> split_part((SELECT server_timeline()), '/', 1)
  ELSE run.timeline <> (SELECT server_timeline()) END, false) AS in_doubt, run.webhook_url, run.agent_name,
      run.id, run.team_id, run.agent_id, run.build_id, run.source, run.case_id, run.schedule_id, run.reopened, run.build_digest, run.sandbox_id, run.traceparent, run.human_in_the_loop_enabled, run.steps, run.script_position, run.message_seq, run.message_bytes, run.event_seq, run.limits_from_steps, run.limits_from_tokens, run.input_tokens, run.output_tokens, run.active_ms),
  started AS (
    SELECT id, team_id, event_seq, event_id, at,
           jsonb_strip_nulls(jsonb_build_object('traceparent', CASE WHEN traced THEN traceparent END)) ||
             CASE WHEN webhook_url IS NOT NULL AND $3::text IN ('human_request.created', 'run.completed', 'run.failed', 'run.paused', 'run.started')
    THEN jsonb_build_object('callback_url', webhook_url) ELSE '{}'::jsonb END ||
             jsonb_build_object('usage', jsonb_build_object('agent_id', agent_id, 'agent_name', agent_name)) AS meta,
           jsonb_strip_nulls(jsonb_build_object('run_id', id, 'status', 'running', 'agent_id', agent_id,
             'build_id', build_id, 'team_id', team_id, 'source', source, 'case_id', case_id)) AS data
      FROM taken WHERE first),
  published_batch AS (
    INSERT INTO outbox_batch (size)
    SELECT count(*) FROM started HAVING count(*) > 0
    RETURNING id AS batch_id),
  published AS (
    INSERT INTO logged_event (batch_id, place, id, event, team_id, run_id, run_seq, data, meta, created_at)
    SELECT batch_id, row_number() OVER (ORDER BY event_id), event_id, $3::text, team_id,
           id, event_seq, data, meta, at
      FROM published_batch CROSS JOIN started),
  woken AS (
    UPDATE run_step SET status = 'completed', completed_at = taken.at
      FROM taken WHERE taken.slept AND run_step.run_id = taken.id AND run_step.status = 'running'
       AND run_step.kind = 'wait')
SELECT taken.first, taken.slept, taken.token, taken.waited, taken.in_doubt, taken.id, taken.team_id, taken.agent_id, taken.build_id, taken.source, taken.case_id, taken.schedule_id, taken.reopened, taken.build_digest, taken.sandbox_id, taken.traceparent, taken.human_in_the_loop_enabled, taken.steps, taken.script_position, taken.message_seq, taken.message_bytes, taken.event_seq, taken.limits_from_steps, taken.limits_from_tokens, taken.input_tokens, taken.output_tokens, taken.active_ms, history.messages
  FROM taken
  LEFT JOIN LATERAL (
    SELECT jsonb_agg(jsonb_build_object('seq', seq, 'type', type, 'role', role, 'text_content', text_content,
             'tool_call', tool_call, 'tool_result', tool_result) ORDER BY seq) AS messages
      FROM run_message WHERE run_message.run_id = taken.id) AS history
    ON taken.message_seq <= 100 AND taken.message_bytes <= 262144;

-- claimOldestPending (src/run-core/claims/run-claims.sql.ts)
WITH input AS MATERIALIZED (SELECT * FROM jsonb_to_recordset($1::jsonb) AS i(at timestamptz(3), traced boolean, team_id uuid, tokens uuid[], event_ids uuid[])),
  free AS MATERIALIZED (SELECT id, tokens[place] AS token, event_ids[place] AS event_id, at, traced, first, slept
     FROM (SELECT input.*, run.id, run.first, run.slept,
                  row_number() OVER (PARTITION BY input.team_id) AS place
             FROM input CROSS JOIN LATERAL (
               SELECT run.id, run.started_at IS NULL AS first, run.wake_at IS NOT NULL AS slept FROM run
                WHERE run.team_id = input.team_id AND run.status = 'pending'
                  AND run.queued_at <= now() AND (run.status = 'pending' OR (run.status = 'running' AND run.lease_token IS NULL
  AND (run.wake_at IS NULL OR run.wake_at <= now()))) AND run.takeovers < 3
                ORDER BY run.queued_at, run.id
                LIMIT cardinality(input.tokens)
                  FOR UPDATE SKIP LOCKED) AS run) AS oldest),
  taken AS (
    UPDATE run SET
      status = 'running',
      started_at = coalesce(run.started_at, greatest(free.at, run.created_at)),
      lease_token = free.token,
      lease_until = now() + $2::bigint * interval '1 ms',
      wake_at = NULL,
      timeline = coalesce(run.timeline, (SELECT server_timeline() || CASE
  WHEN current_setting('synchronous_standby_names') = '' OR current_setting('synchronous_commit') IN ('off', 'local')
  THEN '' ELSE '/synchronous' END)),
      event_seq = run.event_seq + CASE WHEN free.first THEN 1 ELSE 0 END,
      updated_at = greatest(free.at, run.updated_at)
      FROM free
     WHERE run.id = free.id
    RETURNING free.at, free.event_id, free.traced, free.first, free.slept, free.token,
      extract(epoch FROM now() - run.queued_at)::float8 AS waited,
      coalesce(CASE
  WHEN run.timeline LIKE '%/synchronous'
  THEN split_part(run.timeline, '/', 1) <> split_part((SELECT server_timeline()), '/', 1)
  ELSE run.timeline <> (SELECT server_timeline()) END, false) AS in_doubt, run.webhook_url, run.agent_name,
      run.id, run.team_id, run.agent_id, run.build_id, run.source, run.case_id, run.schedule_id, run.reopened, run.build_digest, run.sandbox_id, run.traceparent, run.human_in_the_loop_enabled, run.steps, run.script_position, run.message_seq, run.message_bytes, run.event_seq, run.limits_from_steps, run.limits_from_tokens, run.input_tokens, run.output_tokens, run.active_ms),
  started AS (
    SELECT id, team_id, event_seq, event_id, at,
           jsonb_strip_nulls(jsonb_build_object('traceparent', CASE WHEN traced THEN traceparent END)) ||
             CASE WHEN webhook_url IS NOT NULL AND $3::text IN ('human_request.created', 'run.completed', 'run.failed', 'run.paused', 'run.started')
    THEN jsonb_build_object('callback_url', webhook_url) ELSE '{}'::jsonb END ||
             jsonb_build_object('usage', jsonb_build_object('agent_id', agent_id, 'agent_name', agent_name)) AS meta,
           jsonb_strip_nulls(jsonb_build_object('run_id', id, 'status', 'running', 'agent_id', agent_id,
             'build_id', build_id, 'team_id', team_id, 'source', source, 'case_id', case_id)) AS data
      FROM taken WHERE first),
  published_batch AS (
    INSERT INTO outbox_batch (size)
    SELECT count(*) FROM started HAVING count(*) > 0
    RETURNING id AS batch_id),
  published AS (
    INSERT INTO logged_event (batch_id, place, id, event, team_id, run_id, run_seq, data, meta, created_at)
    SELECT batch_id, row_number() OVER (ORDER BY event_id), event_id, $3::text, team_id,
           id, event_seq, data, meta, at
      FROM published_batch CROSS JOIN started),
  woken AS (
    UPDATE run_step SET status = 'completed', completed_at = taken.at
      FROM taken WHERE taken.slept AND run_step.run_id = taken.id AND run_step.status = 'running'
       AND run_step.kind = 'wait')
SELECT taken.first, taken.slept, taken.token, taken.waited, taken.in_doubt, taken.id, taken.team_id, taken.agent_id, taken.build_id, taken.source, taken.case_id, taken.schedule_id, taken.reopened, taken.build_digest, taken.sandbox_id, taken.traceparent, taken.human_in_the_loop_enabled, taken.steps, taken.script_position, taken.message_seq, taken.message_bytes, taken.event_seq, taken.limits_from_steps, taken.limits_from_tokens, taken.input_tokens, taken.output_tokens, taken.active_ms, history.messages
  FROM taken
  LEFT JOIN LATERAL (
    SELECT jsonb_agg(jsonb_build_object('seq', seq, 'type', type, 'role', role, 'text_content', text_content,
             'tool_call', tool_call, 'tool_result', tool_result) ORDER BY seq) AS messages
      FROM run_message WHERE run_message.run_id = taken.id) AS history
    ON taken.message_seq <= 100 AND taken.message_bytes <= 262144;

-- renewLeases (src/run-core/claims/run-claims.sql.ts)
WITH held AS MATERIALIZED (
  SELECT run.id, lease.token FROM run JOIN unnest($1::uuid[], $2::uuid[]) AS lease(id, token) ON run.id = lease.id AND run.lease_token = lease.token AND run.status = 'running'
   ORDER BY run.id
     FOR NO KEY UPDATE OF run)
UPDATE run SET lease_until = now() + $3::bigint * interval '1 ms'
  FROM held WHERE run.id = held.id RETURNING held.token;

-- checkLeases (src/run-core/claims/run-claims.sql.ts)
SELECT lease.token FROM run JOIN unnest($1::uuid[], $2::uuid[]) AS lease(id, token) ON run.id = lease.id AND run.lease_token = lease.token AND run.status = 'running';

-- deferRun (src/run-core/claims/run-claims.sql.ts)

UPDATE run SET lease_token = NULL, lease_until = NULL, dispatches = dispatches + 1,
       queued_at = now() + $3::bigint * interval '1 ms'
 WHERE id = $1 AND lease_token = $2 AND status = 'running' RETURNING id;

-- dueSuspect (src/run-core/claims/run-claims.sql.ts)
SELECT id FROM run WHERE takeovers >= 3 AND status = 'running' AND queued_at <= now() AND (run.status = 'pending' OR (run.status = 'running' AND run.lease_token IS NULL
  AND (run.wake_at IS NULL OR run.wake_at <= now())))
 ORDER BY queued_at LIMIT 1;

-- releaseAbandoned (src/run-core/claims/run-claims.sql.ts)
WITH expired AS MATERIALIZED (
  SELECT id, least(cardinality($3::bigint[]) - 1,
           takeovers + CASE WHEN lease_until > pg_postmaster_start_time() + $2::bigint * interval '1 ms'
                            THEN 1 ELSE 0 END) AS takeovers
    FROM run WHERE lease_token IS NOT NULL AND status = 'running' AND lease_until <= now()
   ORDER BY id LIMIT $1
     FOR UPDATE SKIP LOCKED)
UPDATE run SET lease_token = NULL, lease_until = NULL, takeovers = expired.takeovers,
       dispatches = run.dispatches + 1,
       queued_at = CASE ($3::bigint[])[expired.takeovers + 1] WHEN 0 THEN run.queued_at
                   ELSE now() + ($3::bigint[])[expired.takeovers + 1] * interval '1 ms' END
  FROM expired
 WHERE run.id = expired.id
RETURNING run.id, run.team_id, run.agent_id, run.build_id, run.source, run.case_id, run.schedule_id, run.reopened, run.takeovers;

-- openRuns (src/run-core/claims/run-claims.sql.ts)
SELECT FROM run WHERE run.status IN ('pending', 'running');

-- waitingTeams (src/run-core/claims/run-claims.sql.ts)
WITH RECURSIVE team AS (
  (SELECT run.team_id FROM run WHERE run.status IN ('pending', 'running') ORDER BY run.team_id LIMIT 1)
  UNION ALL
  SELECT (SELECT run.team_id FROM run WHERE run.status IN ('pending', 'running') AND run.team_id > team.team_id ORDER BY run.team_id LIMIT 1)
    FROM team WHERE team.team_id IS NOT NULL)
SELECT team_id FROM team
 WHERE EXISTS (SELECT FROM run WHERE run.team_id = team.team_id AND run.status IN ('pending', 'running') AND (run.status = 'pending' OR (run.status = 'running' AND run.lease_token IS NULL
  AND (run.wake_at IS NULL OR run.wake_at <= now())))
                  AND run.takeovers < 3 AND run.queued_at < now() - $1 * interval '1 ms');
