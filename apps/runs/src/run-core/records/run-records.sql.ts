import { events } from '@aos/contracts';
import { recordedEvents } from '@aos/events';

/** The public events of runs, as a table. Conditions and orders reach the index of the log. */
export const runEvents =
  '(SELECT run_id, run_seq AS seq, id, event, data, created_at FROM logged_event WHERE run_id IS NOT NULL)';

// By hand, all of them: a worker reads them in the middle of a step, when it has not heard whether a change was stored.

/** $1: the run. As the statement that changes runs would have given it. */
export const storedRun = `
SELECT 0 AS n, id AS run_id, parent_run_id, case_queue_id, status, message_seq, message_seq AS message_base, event_seq,
       dispatches, steps, lease_token FROM run WHERE id = $1`;

/** $1: the run, $2: the token of its lease. */
export const storedMessageCount = 'SELECT message_seq FROM run WHERE id = $1 AND lease_token = $2';

/** $1: the run, $2: the message. */
export const storedMessage = 'SELECT seq FROM run_message WHERE run_id = $1 AND id = $2';

/** $1: the run, $2: the event. */
export const storedEvent = `SELECT 1 FROM ${runEvents} AS stored WHERE run_id = $1 AND id = $2`;

/** $1: the run, $2: the number of the step, $3: when it began. */
export const storedStep = 'SELECT 1 FROM run_step WHERE run_id = $1 AND step_index = $2 AND started_at = $3';

/** Part of a statement: a step that runs for each call of `leased`, behind the last stored step. */
export const noteCalls = `
    INSERT INTO run_step (run_id, step_index, name, kind, status, attempts, started_at)
    SELECT run_id, steps + 1, name, 'tool', 'running', attempts, started_at FROM leased WHERE name IS NOT NULL
    ON CONFLICT (run_id, step_index) DO UPDATE SET status = 'running', attempts = excluded.attempts,
      completed_at = NULL, error = NULL`;

/**
 * Records that tool calls are about to be made, many in one statement, as steps that run; the step's end replaces the
 * intent. The lock makes it wait for a worker that takes the run over, and see that the lease is lost. By hand: it works
 * on a set, under the leases of its runs.
 */
export const recordIntents = `
WITH input AS MATERIALIZED (
  SELECT * FROM jsonb_to_recordset($1::jsonb) AS i(
    n int, run_id uuid, token uuid, steps int, name text, attempts int, started_at timestamptz(3))),
  leased AS MATERIALIZED (
    SELECT input.* FROM run JOIN input ON input.run_id = run.id
     WHERE run.lease_token = input.token AND run.status = 'running' AND run.steps = input.steps
     ORDER BY run.id
       FOR SHARE OF run),
  recorded AS (${noteCalls})
SELECT n FROM leased`;

/** The intent at a place among the steps. $1: the run, $2: the place. By hand: read whenever a worker takes a run over. */
export const findIntent = `
SELECT name, attempts FROM run_step WHERE run_id = $1 AND step_index = $2 AND status = 'running'`;

/** Columns of a statement's input that `storeRecords` reads. */
export const recordInput =
  'message_count int, message_bytes bigint, event_count int, messages jsonb, events jsonb';

const callbackEvents = events.filter(({ callback }) => callback).map(({ name }) => `'${name}'`);

/** Adds the callback URL of the run to the meta of an event. The row must have webhook_url. */
export function publicMeta(event: string): string {
  return `CASE WHEN webhook_url IS NOT NULL AND ${event} IN (${callbackEvents.join(', ')})
    THEN jsonb_build_object('callback_url', webhook_url) ELSE '{}'::jsonb END`;
}

/**
 * Parts of a statement that store the records of changed runs. `changed` must give n, at, run_id, webhook_url,
 * message_base and event_base (the numbers before the change), messages and events. By hand: they are stored in the
 * statement that changes the runs.
 */
export const storeRecords = `
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
  ${recordedEvents('published', {
    from: 'noted',
    order: 'n, place',
    id: 'id',
    event: 'event',
    teamId: 'team_id',
    data: 'data',
    meta: `CASE WHEN seq IS NULL THEN meta ELSE meta || ${publicMeta('event')} END`,
    at: 'at',
    run: { id: 'CASE WHEN seq IS NOT NULL THEN run_id END', seq: 'seq' },
  })}`;
