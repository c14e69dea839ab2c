import { endedRunStatuses } from '@aos/contracts';
import { listed, tallyColumns } from '../run-core/run-columns.js';
import type { RunChangePart } from '../run-core/statement-parts.js';

/** What makes rows of the ledger of one kind. */
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
