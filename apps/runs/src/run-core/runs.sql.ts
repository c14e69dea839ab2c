import { columnsOf } from '@aos/persistence';
import { RunEntity } from './run.entity.js';
import { foundColumns } from './run-columns.js';

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
