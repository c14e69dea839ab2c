/**
 * The cases of a queue whose runs, or sub-runs of theirs, wait for an approval. $1: the team, $2: the queue, $3: the cases,
 * or null for all. By hand: from the approvals upwards, since they are few.
 */
export const heldCases = `
WITH RECURSIVE asking(id) AS (
    SELECT run_id FROM human_request WHERE team_id = $1 AND status = 'pending' AND type = 'approval'
     UNION
    SELECT run.parent_run_id FROM asking JOIN run ON run.id = asking.id WHERE run.parent_run_id IS NOT NULL)
SELECT id FROM queue_case
 WHERE queue_id = $2 AND ($3::uuid[] IS NULL OR id = ANY ($3::uuid[])) AND status = 'pending'
   AND claimed_by_run_id IN (SELECT id FROM asking)`;
