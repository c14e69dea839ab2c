import { runEvents } from './run-event.sql.js';

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
