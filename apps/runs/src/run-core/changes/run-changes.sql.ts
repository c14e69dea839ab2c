import { endedRunStatuses } from '@aos/contracts';
import { releasedEvents } from '@aos/events';
import { columnsOf } from '@aos/persistence';
import { recordInput, storeRecords } from '../records/run-records.sql.js';
import { foundColumns, listed, outcomeColumns, tallyColumns } from '../run-columns.js';
import { changeRow, deleteRow, markRow, orphanRow, wakeRow } from '../run-row.sql.js';
import { openStatuses } from '../run-state.js';
import { RunEntity } from '../run.entity.js';
import type { RunChange } from './run-change.js';
import { declared, type RunChangePart, selected, StatementForms } from './statement-parts.js';

/**
 * Marks runs that were judged with the worst of their issues; part of a statement in which `judged` gives run_id,
 * severity and `flags`, which tells the runs whose marks change: the indexes of a run are dear to write.
 */
export const markIssues = `${markRow}
     WHERE judged.flags AND run.id = judged.run_id`;

const open = openStatuses.map((status) => `'${status}'`).join(', ');

/**
 * A run that sleeps in a tool call is woken when none of its sub-runs is at work. The intent of the call lies behind
 * the last stored step; a run that sleeps because its script says so has none. $1:
 * the parents. By hand: a set, whenever sub-runs end.
 */
export const wakeParents = `
  ${wakeRow}
   WHERE id = ANY ($1::uuid[]) AND status = 'running' AND lease_token IS NULL AND wake_at > now()
     AND EXISTS (SELECT 1 FROM run_step WHERE run_step.run_id = run.id AND run_step.step_index = run.steps + 1
                    AND run_step.status = 'running')
     AND NOT EXISTS (SELECT 1 FROM run AS sub WHERE sub.parent_run_id = run.id AND sub.status IN (${open}))
  RETURNING id, team_id`;

const ended = endedRunStatuses.map((status) => `'${status}'`).join(', ');

/**
 * Deletes runs that have ended, with everything that belongs to them. $1: their ids. `parts`: what other features delete
 * with them, from `gone` (id, sandbox_id, and what the ledger counts by). By hand, for it works on a set over twelve tables. Gives
 * them with their teams.
 */
export function deleteEndedRuns(parts: readonly string[]): string {
  return `
WITH gone AS (
  ${deleteRow}
  RETURNING id, sandbox_id, ${listed(tallyColumns)}),
  messages AS (DELETE FROM run_message USING gone WHERE run_message.run_id = gone.id),
  steps AS (DELETE FROM run_step USING gone WHERE run_step.run_id = gone.id),
  ${releasedEvents},
  children AS (
    ${orphanRow}
     WHERE run.parent_run_id = gone.id AND run.id <> ALL ($1::uuid[]))${parts.map((part) => `,\n  ${part}`).join('')}
SELECT id, team_id FROM gone`;
}

/**
 * The oldest runs that ended more than $2 days ago, at most $3 and with $4 messages together. $1: an id of that time;
 * ids are in order of time, so the primary key is walked from its beginning and no other index is needed.
 */
export const oldEndedRuns = `
SELECT id FROM (
  SELECT id, row_number() OVER (ORDER BY id) AS place, sum(message_seq) OVER (ORDER BY id) AS messages
    FROM (SELECT id, message_seq FROM run
           WHERE id < $1::uuid AND status IN (${ended}) AND completed_at < now() - $2 * interval '1 day'
           ORDER BY id LIMIT $3) AS old) AS summed
 WHERE place = 1 OR messages <= $4`;

/**
 * Reads a run of a team. $1: the team, $2: the run. `beside`: columns that are not the run's own. By hand: it is what
 * clients ask most often.
 */
export function selectRun(...beside: readonly string[]): string {
  return `SELECT ${[...foundColumns, ...beside].join(', ')} FROM run WHERE id = $2 AND team_id = $1`;
}

/** Whether it is the team's. $1: the team, $2: the run. By hand: asked before each page of a run's parts. */
export const runExists = 'SELECT 1 FROM run WHERE id = $2 AND team_id = $1';

/** $1: the team, $2: the run. By hand: the lock under which messages, answers and stops change a run's state. */
export const lockRun = `SELECT ${columnsOf(RunEntity)} FROM run WHERE id = $2 AND team_id = $1 FOR UPDATE`;

/** $1: the team, $2: the parent, $3: the statuses that are open. By hand: read when a run ends. */
export const openSubRuns = `
SELECT id FROM run WHERE parent_run_id = $2 AND team_id = $1 AND status = ANY ($3) ORDER BY id`;

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
