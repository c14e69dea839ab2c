import { claimable } from './run-claims.sql.js';
import { suspectAfter } from './takeovers.js';

const open = `run.status IN ('pending', 'running')`;

/** Those that a worker has or may take; the others need nobody. */
export const openRuns = `SELECT FROM run WHERE ${open}`;

/**
 * The teams with runs that wait to be taken, for longer than $1 milliseconds. By hand, for it steps from team to team
 * in the index: it costs as much with twenty thousand waiting runs as with one.
 */
export const waitingTeams = `
WITH RECURSIVE team AS (
  (SELECT run.team_id FROM run WHERE ${open} ORDER BY run.team_id LIMIT 1)
  UNION ALL
  SELECT (SELECT run.team_id FROM run WHERE ${open} AND run.team_id > team.team_id ORDER BY run.team_id LIMIT 1)
    FROM team WHERE team.team_id IS NOT NULL)
SELECT team_id FROM team
 WHERE EXISTS (SELECT FROM run WHERE run.team_id = team.team_id AND ${open} AND ${claimable}
                  AND run.takeovers < ${suspectAfter} AND run.queued_at < now() - $1 * interval '1 ms')`;
