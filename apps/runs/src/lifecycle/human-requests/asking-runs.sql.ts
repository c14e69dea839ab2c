/** The runs of a team that wait for an approval, themselves or in a sub-run. $1: the team. By hand: from the approvals upwards, since they are few. */
export const askingRuns = `
WITH RECURSIVE asking(id) AS (
    SELECT run_id FROM human_request WHERE team_id = $1 AND status = 'pending' AND type = 'approval'
     UNION
    SELECT run.parent_run_id FROM asking JOIN run ON run.id = asking.id WHERE run.parent_run_id IS NOT NULL)`;

/** $1: the team, $2: the agent. */
export const awaitsApprovalOfAgent = `${askingRuns}
SELECT EXISTS (SELECT FROM asking JOIN run USING (id) WHERE run.agent_id = $2) AS awaits`;
