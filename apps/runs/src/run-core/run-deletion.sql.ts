import { endedRunStatuses } from '@aos/contracts';
import { releasedEvents } from '@aos/events';
import { listed, tallyColumns } from './run-columns.js';
import { deleteRow, orphanRow } from './run-row.sql.js';

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
  former_events AS (DELETE FROM run_event USING gone WHERE run_event.run_id = gone.id),
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
