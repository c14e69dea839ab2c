import { endedRunStatuses } from '@aos/contracts';
import { keptTimeline } from './claims/timelines.sql.js';
import { numberOf } from './starts/run-counter.sql.js';

/*
 * Every way in which a row of `run` is written, as parts of the statements that do it; nothing else writes the table,
 * which `tools/checks/tables.mjs` holds. By hand, all of them: they work on sets, in statements that write other tables
 * of a run too.
 */

const ended = endedRunStatuses.map((status) => `'${status}'`).join(', ');

/**
 * A run that is made, from a row of `accepted` with what callers gave (`given`: its columns). One with a token is taken
 * by a worker already.
 */
export function insertRow(given: string): string {
  return `
    INSERT INTO run (${given}, run_number, status, started_at, lease_token, lease_until, steps, tool_calls, input_tokens,
                     output_tokens, script_position, message_seq, message_bytes, event_seq, reopened,
                     limits_from_steps, limits_from_tokens, active_ms, dispatches, timeline, queued_at, created_at,
                     updated_at)
    SELECT ${given}, ${numberOf('accepted')}, CASE WHEN token IS NULL THEN 'pending' ELSE 'running' END,
           CASE WHEN token IS NULL THEN NULL ELSE at END, token, now() + lease_ms * interval '1 ms',
           0, 0, 0, 0, 0, message_count, message_bytes, event_count, 0, 0, 0, 0, 0, ${keptTimeline}, now(), at, at
      FROM accepted
    ON CONFLICT (id) DO NOTHING`;
}

/** A worker takes the run, from a row of `free`; `$2`: how long its lease lasts in milliseconds. */
export const takeRow = `
    UPDATE run SET
      status = 'running',
      started_at = coalesce(run.started_at, greatest(free.at, run.created_at)),
      lease_token = free.token,
      lease_until = now() + $2::bigint * interval '1 ms',
      wake_at = NULL,
      timeline = coalesce(run.timeline, ${keptTimeline}),
      event_seq = run.event_seq + CASE WHEN free.first THEN 1 ELSE 0 END,
      updated_at = greatest(free.at, run.updated_at)
      FROM free`;

/** A step, a message, an answer or an end changes the run, from a row of `input`. */
export const changeRow = `
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
      timeline = CASE WHEN input.settles_doubt THEN ${keptTimeline} ELSE run.timeline END,
      updated_at = greatest(input.at, run.updated_at)
      FROM input`;

/** The worker still has the run; `$3`: for how long in milliseconds. */
export const renewRow = `UPDATE run SET lease_until = now() + $3::bigint * interval '1 ms'`;

/**
 * The worker's lease has run out, from a row of `expired`; `$3`: how long the run waits in milliseconds, by how many
 * workers it has lost. One that does not wait keeps its place in the queue of its team.
 */
export const releaseRow = `
UPDATE run SET lease_token = NULL, lease_until = NULL, takeovers = expired.takeovers,
       dispatches = run.dispatches + 1,
       queued_at = CASE ($3::bigint[])[expired.takeovers + 1] WHEN 0 THEN run.queued_at
                   ELSE now() + ($3::bigint[])[expired.takeovers + 1] * interval '1 ms' END
  FROM expired`;

/**
 * The worker gives the run back, to be taken again later; `$3`: how much later in milliseconds. It does not sleep: who
 * wakes from that makes the call again in which it was.
 */
export const deferRow = `
UPDATE run SET lease_token = NULL, lease_until = NULL, dispatches = dispatches + 1,
       queued_at = now() + $3::bigint * interval '1 ms'`;

/** A run that sleeps is to be taken now. */
export const wakeRow = 'UPDATE run SET wake_at = now(), queued_at = now(), dispatches = dispatches + 1';

export const markRow = `
    UPDATE run SET has_issues = CASE WHEN judged.severity IS NOT NULL THEN true END, issue_severity = judged.severity
      FROM judged`;

/** The run's parent is deleted, from a row of `gone`. */
export const orphanRow = 'UPDATE run SET parent_run_id = NULL, parent_call_id = NULL FROM gone';

/** `$1`: runs. Those that have not ended stay. */
export const deleteRow = `DELETE FROM run WHERE id = ANY ($1::uuid[]) AND status IN (${ended})`;

/**
 * The column `postponed_to` of a statement that reads from `run`: the moment to which the run has postponed its case, as
 * the result of that call says it. By hand: one look by the key, and only for runs with a case.
 */
export const postponedTo = `CASE WHEN run.case_id IS NOT NULL THEN (
    SELECT max(result ->> 'postponed_to') FROM case_call WHERE case_call.run_id = run.id) END AS postponed_to`;
