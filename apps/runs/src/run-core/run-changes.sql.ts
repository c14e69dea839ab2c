import { endedRunStatuses } from '@aos/contracts';
import { listed, outcomeColumns, tallyColumns } from './run-columns.js';
import { recordInput, storeRecords } from './run-records.sql.js';
import { declared, selected, type RunChangePart } from './statement-parts.js';

const ended = endedRunStatuses.map((status) => `'${status}'`).join(', ');

/**
 * Changes many runs in one statement. $1: an array of changes. Returns those that were made; one whose run is not
 * as it must be leaves no trace. A change waits only for other changes of the same run. By hand: it writes to all tables
 * of a run at once.
 */
export function changeRuns(parts: readonly RunChangePart[]): string {
  const columns = parts.flatMap((part) => part.columns);
  return `
WITH input AS MATERIALIZED (
  SELECT * FROM jsonb_to_recordset($1::jsonb) AS i(
    n int, at timestamptz(3), run_id uuid, from_statuses text[], token uuid, expected_steps int, seen_seq int,
    status text, result text, error jsonb, stop_reason text, script_position int, active_ms bigint, tool_calls int,
    input_tokens bigint, output_tokens bigint, step jsonb, closes_step text, reopened_from text,
    keeps_lease boolean, requeue_after_ms bigint, ${declared(columns)}${recordInput})),
  changed AS (
    UPDATE run SET
      status = input.status,
      result = CASE input.status WHEN 'completed' THEN input.result ELSE run.result END,
      error = input.error,
      stop_reason = input.stop_reason,
      completed_at = CASE WHEN input.status IN (${ended}) THEN greatest(input.at, run.started_at, run.created_at) END,
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
      run.build_id, run.case_id, ${listed(outcomeColumns, 'run')}, ${listed(tallyColumns, 'run')}${selected(columns, 'input')}),
  ${storeRecords},
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
     WHERE run_step.run_id = changed.run_id AND run_step.status = 'running' AND changed.closes_step IS NOT NULL)${parts
       .map(
         ({ sql }) => `,
  ${sql}`,
       )
       .join('')}
SELECT n, run_id, team_id, parent_run_id, case_queue_id, status, message_base, message_seq, event_seq, dispatches,
       ${listed(outcomeColumns)}
  FROM changed`;
}
