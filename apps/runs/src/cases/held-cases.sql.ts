import { askingRuns } from '../lifecycle/human-requests/asking-runs.sql.js';

/**
 * The cases of a queue whose runs, or sub-runs of theirs, wait for an approval. $1: the team, $2: the queue, $3: the cases,
 * or null for all.
 */
export const heldCases = `${askingRuns}
SELECT id FROM queue_case
 WHERE queue_id = $2 AND ($3::uuid[] IS NULL OR id = ANY ($3::uuid[])) AND status = 'pending'
   AND claimed_by_run_id IN (SELECT id FROM asking)`;
