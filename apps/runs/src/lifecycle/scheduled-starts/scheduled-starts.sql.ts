import type { RunStartPart } from '../../run-core/changes/statement-parts.js';

/** A firing is gone in the statement that makes its run: it starts one run, however often it is tried. */
export const firedStarts: RunStartPart = {
  concerns: ({ source }) => source === 'schedule',
  sql: 'fired AS (DELETE FROM scheduled_start USING accepted WHERE scheduled_start.run_id = accepted.id)',
};

/** $1: what has fired. By hand: a set, of events that may come twice. */
export const addStarts = `
INSERT INTO scheduled_start (run_id, schedule_id, agent_id, team_id, message, attempts, next_attempt_at)
SELECT run_id, schedule_id, agent_id, team_id, message, 0, now()
  FROM jsonb_to_recordset($1::jsonb)
    AS fired(run_id uuid, schedule_id uuid, agent_id uuid, team_id uuid, message text)
ON CONFLICT (run_id) DO NOTHING`;

const due = 'FROM scheduled_start WHERE next_attempt_at <= now()';

/** Whether there is any firing that is due. */
export const anyStartDue = `SELECT ${due}`;

/** $1: how many, $2: milliseconds until they come again. By hand: a queue that several take from. */
export const takeDueStarts = `
UPDATE scheduled_start SET attempts = attempts + 1, next_attempt_at = now() + $2 * interval '1 ms'
 WHERE run_id IN (SELECT run_id ${due}
                   ORDER BY next_attempt_at LIMIT $1 FOR UPDATE SKIP LOCKED)
RETURNING *`;
