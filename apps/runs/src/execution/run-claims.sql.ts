import { shownMeta } from '../runs/run-records.js';

/** What a worker may take: a run that nobody has, and that does not sleep. */
export const claimable = `(run.status = 'pending' OR (run.status = 'running'
  AND (run.lease_until IS NULL OR run.lease_until <= now()) AND (run.wake_at IS NULL OR run.wake_at <= now())))`;

/**
 * Takes many runs in one statement. $1: an array of wishes, $2: how long the lease lasts in milliseconds, $3: the name
 * of the event that tells of a run's first start. Returns those that were taken, with their messages.
 */
export const claimRuns = `
WITH input AS MATERIALIZED (
  SELECT * FROM jsonb_to_recordset($1::jsonb) AS i(
    n int, at timestamptz(3), run_id uuid, token uuid, event_id uuid, meta jsonb)),
  free AS MATERIALIZED (
    SELECT run.id, input.n, run.started_at IS NULL AS first, run.wake_at IS NOT NULL AS slept
      FROM run JOIN input ON input.run_id = run.id
     WHERE ${claimable}
     ORDER BY run.id
       FOR UPDATE OF run),
  taken AS (
    UPDATE run SET
      status = 'running',
      started_at = coalesce(run.started_at, greatest(input.at, run.created_at)),
      lease_token = input.token,
      lease_until = now() + $2::bigint * interval '1 ms',
      wake_at = NULL,
      event_seq = run.event_seq + CASE WHEN free.first THEN 1 ELSE 0 END,
      updated_at = greatest(input.at, run.updated_at)
      FROM free JOIN input USING (n)
     WHERE run.id = free.id
    RETURNING input.n, input.at, input.event_id, input.meta, free.first, free.slept, run.id, run.team_id,
      run.agent_id, run.build_id, run.build_digest, run.source, run.case_id, run.schedule_id,
      run.human_in_the_loop_enabled, run.steps, run.position, run.message_seq, run.event_seq, run.reopened,
      run.limits_from_steps, run.limits_from_tokens, run.input_tokens, run.output_tokens, run.active_ms,
      run.webhook_url, run.sandbox_id, input.token),
  told AS (
    SELECT id, team_id, event_seq, event_id, at, n,
           meta || ${shownMeta('$3::text', 'event_seq')} AS meta,
           jsonb_strip_nulls(jsonb_build_object('run_id', id, 'status', 'running', 'agent_id', agent_id,
             'build_id', build_id, 'team_id', team_id, 'source', source, 'case_id', case_id)) AS data
      FROM taken WHERE first),
  stored_events AS (
    INSERT INTO run_event (run_id, seq, id, event, data, created_at)
    SELECT id, event_seq, event_id, $3::text, data, at FROM told),
  published AS (
    INSERT INTO outbox_event (id, event, team_id, data, meta, created_at)
    SELECT event_id, $3::text, team_id, data, meta, at FROM told ORDER BY n),
  woken AS (
    UPDATE run_step SET status = 'completed', completed_at = taken.at
      FROM taken WHERE taken.slept AND run_step.run_id = taken.id AND run_step.status = 'running'
       AND run_step.kind = 'wait')
SELECT taken.n, taken.first, taken.slept, taken.id, taken.team_id, taken.agent_id, taken.build_id, taken.build_digest,
       taken.source, taken.case_id, taken.schedule_id, taken.human_in_the_loop_enabled, taken.steps,
       taken.position, taken.message_seq, taken.event_seq, taken.reopened, taken.limits_from_steps,
       taken.limits_from_tokens, taken.input_tokens, taken.output_tokens, taken.active_ms, taken.sandbox_id,
       taken.token,
       coalesce(said.messages, '[]') AS messages
  FROM taken
  LEFT JOIN LATERAL (
    SELECT jsonb_agg(jsonb_build_object('seq', seq, 'type', type, 'role', role, 'text_content', text_content,
             'tool_call', tool_call, 'tool_result', tool_result) ORDER BY seq) AS messages
      FROM run_message WHERE run_message.run_id = taken.id) AS said ON true`;
