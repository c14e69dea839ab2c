import { openStatuses } from '../../run-core/run-state.js';

const open = openStatuses.map((status) => `'${status}'`).join(', ');

/** $1: the team, $2: the parent, $3: the call that started it. By hand: read in a step, each time its parent looks. */
export const findSubRun = `
SELECT id, status, result, error FROM run
 WHERE parent_run_id = $2 AND parent_call_id = $3 AND team_id = $1`;

/** $1: the team, $2: the run. By hand: read in the step that starts a sub-run. */
export const findParent = `
SELECT id, depth, user_id, human_in_the_loop_enabled, build_digest FROM run
 WHERE id = $2 AND team_id = $1`;

/**
 * $1: how many, $2: runs to leave out. One that a message has reopened since works for who wrote that, not for its parent.
 * By hand: a set, of all teams.
 */
export const leftSubRuns = `
SELECT run.id, run.team_id FROM run JOIN run AS parent ON parent.id = run.parent_run_id
 WHERE run.parent_run_id IS NOT NULL AND run.status IN (${open})
   AND parent.status IN ('failed', 'stopped') AND run.reopened = 0 AND run.id <> ALL ($2::uuid[])
 LIMIT $1`;
