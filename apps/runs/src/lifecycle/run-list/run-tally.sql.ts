import { endedRunStatuses } from '@aos/contracts';
import { listed, tallyColumns } from '../../run-core/run-columns.js';
import type { RunChangePart } from '../../run-core/changes/statement-parts.js';

export const tallyKind = listed(tallyColumns);

const ended = endedRunStatuses.map((status) => `'${status}'`).join(', ');

/** An end is counted by the statement that makes it, and taken back by the one that reopens the run. */
export const countedEnds: RunChangePart = {
  columns: [],
  values: () => ({}),
  sql: `counted AS (
    INSERT INTO run_tally (${tallyKind}, runs)
    SELECT ${tallyKind}, sum(runs)
      FROM (SELECT ${tallyKind}, 1 AS runs FROM changed WHERE status IN (${ended})
             UNION ALL
            SELECT team_id, agent_id, user_id, case_queue_id, source, reopened_from, -1
              FROM changed WHERE reopened_from IS NOT NULL) AS ends
     GROUP BY ${tallyKind})`,
};

/** Part of the statement that deletes runs, all of which had ended. */
export const uncountedRuns = `counted AS (
    INSERT INTO run_tally (${tallyKind}, runs)
    SELECT ${tallyKind}, -count(*) FROM gone GROUP BY ${tallyKind})`;

/** Whether there is any row behind one. `after` is a number of ours. */
export function anyTallyAfter(after: string): string {
  return `SELECT FROM run_tally WHERE id > ${after}`;
}

/**
 * $1: after which row, $2: how many rows to look at. Their kinds are compacted with what lies before them; rows of a
 * kind that stand alone stay. What is added is the sum of what was deleted by this very statement, so every
 * snapshot has the same sum, whatever is written or compacted beside it. By hand: it works on a set.
 */
export const compactRunTally = `
WITH recent AS MATERIALIZED (SELECT * FROM run_tally WHERE id > $1 ORDER BY id LIMIT $2),
  kinds AS (SELECT DISTINCT ${tallyKind} FROM recent),
  same AS (
    SELECT tally.id, count(*) OVER same_kind AS rows, sum(tally.runs) OVER same_kind AS runs
      FROM kinds JOIN run_tally AS tally USING (team_id, agent_id, source, status)
     WHERE tally.id <= (SELECT max(id) FROM recent)
       AND tally.user_id IS NOT DISTINCT FROM kinds.user_id
       AND tally.case_queue_id IS NOT DISTINCT FROM kinds.case_queue_id
    WINDOW same_kind AS (PARTITION BY team_id, agent_id, tally.user_id, tally.case_queue_id, source, status)),
  gone AS (
    DELETE FROM run_tally USING same
     WHERE run_tally.id = same.id AND (same.rows > 1 OR same.runs = 0) RETURNING run_tally.*),
  compacted AS (
    INSERT INTO run_tally (${tallyKind}, runs)
    SELECT ${tallyKind}, sum(runs) FROM gone GROUP BY ${tallyKind} HAVING sum(runs) <> 0)
SELECT max(id) AS last, count(*)::int AS looked FROM recent`;
