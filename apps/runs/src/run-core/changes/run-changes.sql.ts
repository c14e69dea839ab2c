import type { RunChange } from './run-change.js';
import { listed, outcomeColumns, tallyColumns } from '../run-columns.js';
import { recordInput, storeRecords } from '../records/run-records.sql.js';
import { changeRow } from '../run-row.sql.js';
import { declared, selected, StatementForms, type RunChangePart } from './statement-parts.js';

/** The step that waits for a person or the clock ends with the change. */
const closedSteps: RunChangePart = {
  concerns: ({ closesStep }) => closesStep !== undefined,
  columns: [],
  values: () => ({}),
  sql: `closed_steps AS (
    UPDATE run_step SET status = changed.closes_step, completed_at = changed.at
      FROM changed
     WHERE run_step.run_id = changed.run_id AND run_step.status = 'running' AND changed.closes_step IS NOT NULL)`,
};

/** The statement that changes runs, with what other features write in it. */
export function runChangeForms(parts: readonly RunChangePart[]): StatementForms<RunChange, RunChangePart> {
  return new StatementForms([closedSteps, ...parts], changeRuns);
}

/**
 * Changes many runs in one statement. $1: an array of changes. Returns those that were made; one whose run is not
 * as it must be leaves no trace. A change waits only for other changes of the same run; rows are locked in the order of
 * their ids, so that no two statements wait for each other. By hand: it writes to all tables of a run at once.
 */
function changeRuns(parts: readonly RunChangePart[]): string {
  const columns = parts.flatMap((part) => part.columns);
  return `
WITH input AS MATERIALIZED (
  SELECT * FROM jsonb_to_recordset($1::jsonb) AS i(
    n int, at timestamptz(3), run_id uuid, from_statuses text[], token uuid, expected_steps int, seen_seq int,
    status text, result text, error jsonb, stop_reason text, script_position int, active_ms bigint, tool_calls int,
    input_tokens bigint, output_tokens bigint, step jsonb, closes_step text, reopened_from text,
    keeps_lease boolean, settles_doubt boolean, requeue_after_ms bigint, ${declared(columns)}${recordInput})
   ORDER BY run_id, n),
  changed AS (${changeRow}
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
      attempts = excluded.attempts, error = excluded.error, completed_at = excluded.completed_at)${parts
        .map(
          ({ sql }) => `,
  ${sql}`,
        )
        .join('')}
SELECT n, run_id, team_id, parent_run_id, case_queue_id, status, message_base, message_seq, event_seq, dispatches,
       ${listed(outcomeColumns)}${parts.map(({ told }) => (told ? `,\n       ${told}` : '')).join('')}
  FROM changed`;
}
