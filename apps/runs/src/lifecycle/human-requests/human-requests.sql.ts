import { columnsOf, withinPageBytes } from '@aos/persistence';
import type { RunChangePart } from '../../run-core/changes/statement-parts.js';
import { HumanRequestEntity } from './human-request.entity.js';

/** The runs of a team that wait for an approval, themselves or in a sub-run. $1: the team. By hand: from the approvals upwards, since they are few. */
export const askingRuns = `
WITH RECURSIVE asking(id) AS (
    SELECT run_id FROM human_request WHERE team_id = $1 AND status = 'pending' AND type = 'approval'
     UNION
    SELECT run.parent_run_id FROM asking JOIN run ON run.id = asking.id WHERE run.parent_run_id IS NOT NULL)`;

/** $1: the team, $2: the agent. */
export const awaitsApprovalOfAgent = `${askingRuns}
SELECT EXISTS (SELECT FROM asking JOIN run USING (id) WHERE run.agent_id = $2) AS awaits`;

const columns = columnsOf(HumanRequestEntity);

/** A request is stored with the change that lets its run wait: by hand, for it is a part of that statement. */
export const askedRequests: RunChangePart = {
  concerns: ({ humanRequest }) => humanRequest !== undefined,
  columns: [['human_request', 'jsonb']],
  values: ({ humanRequest }) => ({ human_request: humanRequest }),
  sql: `asked AS (
    INSERT INTO human_request (id, run_id, team_id, tool_call_id, type, title, description, questions, status,
                               votes, assignee, due_at, on_timeout, required_approvals, created_at)
    SELECT h.id, changed.run_id, changed.team_id, h.tool_call_id, h.type, h.title, h.description, h.questions,
           'pending', '[]', h.assignee, h.due_at, h.on_timeout, h.required_approvals, changed.at
      FROM changed CROSS JOIN LATERAL jsonb_to_record(changed.human_request)
       AS h(id uuid, tool_call_id text, type text, title text, description text, questions jsonb, assignee text,
            due_at timestamptz(3), on_timeout text, required_approvals int)
     WHERE changed.human_request IS NOT NULL)`,
};

/** Part of the statement that deletes runs. */
export const deletedRequests = `requests AS (
    DELETE FROM human_request USING gone WHERE human_request.run_id = gone.id)`;

/** $1: the team, $2: the run. By hand: read with every run that waits. */
export const pendingRequest = `
SELECT ${columns} FROM human_request WHERE run_id = $2 AND team_id = $1 AND status = 'pending'`;

const bytes = 'octet_length(to_jsonb(page)::text)';

/** $1: the requests of a page. By hand: fewer of them where they are large. */
export const requestsOfPage = withinPageBytes(`SELECT ${columns} FROM human_request WHERE id = ANY ($1)`, {
  order: 'id',
  bytes,
});

/** The last requests of a run, as many as an answer holds. $1: the team, $2: the run. By hand: fewer where they are large. */
export const requestsOfRun = `
SELECT * FROM (${withinPageBytes(`SELECT ${columns} FROM human_request WHERE run_id = $2 AND team_id = $1`, {
  order: 'id DESC',
  bytes,
})}) AS newest ORDER BY id`;

/** $1: the team, $2: the request, $3: the status, $4: the response, $5: the votes. By hand: compared and set, and answered with. */
export const settleRequest = `
UPDATE human_request SET status = $3, response = $4, votes = $5, responded_at = now()
 WHERE id = $2 AND team_id = $1 AND status = 'pending' RETURNING ${columns}`;

/** $1: the team, $2: the request, $3: the votes. By hand: as the one above. */
export const setVotes = `
UPDATE human_request SET votes = $3 WHERE id = $2 AND team_id = $1 AND status = 'pending' RETURNING ${columns}`;

const overdue = `FROM human_request WHERE status = 'pending' AND due_at <= now()`;

/** Whether there is any request that nobody answered in time. */
export const anyOverdue = `SELECT ${overdue}`;

/** $1: how many, $2: requests to leave out. By hand: a set, of all teams. */
export const overdueRequests = `
SELECT id, run_id, team_id ${overdue} AND id <> ALL ($2::uuid[]) ORDER BY due_at LIMIT $1`;
