-- Written by `npm run sql`; do not edit.

-- awaitsApprovalOfAgent (src/lifecycle/human-requests/human-requests.sql.ts)
WITH RECURSIVE asking(id) AS (
    SELECT run_id FROM human_request WHERE team_id = $1 AND status = 'pending' AND type = 'approval'
     UNION
    SELECT run.parent_run_id FROM asking JOIN run ON run.id = asking.id WHERE run.parent_run_id IS NOT NULL)
SELECT EXISTS (SELECT FROM asking JOIN run USING (id) WHERE run.agent_id = $2) AS awaits;

-- pendingRequest (src/lifecycle/human-requests/human-requests.sql.ts)
SELECT id, run_id, team_id, tool_call_id, type, title, description, questions, status, response, votes, assignee, due_at, on_timeout, required_approvals, responded_at, created_at FROM human_request WHERE run_id = $2 AND team_id = $1 AND status = 'pending';

-- requestsOfPage (src/lifecycle/human-requests/human-requests.sql.ts)
SELECT * FROM (
    SELECT page.*, count(*) OVER ()::int AS page_rows,
           sum(octet_length(to_jsonb(page)::text)) OVER (ORDER BY id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS bytes_before
      FROM (SELECT id, run_id, team_id, tool_call_id, type, title, description, questions, status, response, votes, assignee, due_at, on_timeout, required_approvals, responded_at, created_at FROM human_request WHERE id = ANY ($1)) AS page) AS page
   WHERE coalesce(bytes_before, 0) < 4194304 ORDER BY id;

-- requestsOfRun (src/lifecycle/human-requests/human-requests.sql.ts)
SELECT * FROM (SELECT * FROM (
    SELECT page.*, count(*) OVER ()::int AS page_rows,
           sum(octet_length(to_jsonb(page)::text)) OVER (ORDER BY id DESC ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS bytes_before
      FROM (SELECT id, run_id, team_id, tool_call_id, type, title, description, questions, status, response, votes, assignee, due_at, on_timeout, required_approvals, responded_at, created_at FROM human_request WHERE run_id = $2 AND team_id = $1) AS page) AS page
   WHERE coalesce(bytes_before, 0) < 4194304 ORDER BY id DESC) AS newest ORDER BY id;

-- settleRequest (src/lifecycle/human-requests/human-requests.sql.ts)
UPDATE human_request SET status = $3, response = $4, votes = $5, responded_at = now()
 WHERE id = $2 AND team_id = $1 AND status = 'pending' RETURNING id, run_id, team_id, tool_call_id, type, title, description, questions, status, response, votes, assignee, due_at, on_timeout, required_approvals, responded_at, created_at;

-- setVotes (src/lifecycle/human-requests/human-requests.sql.ts)
UPDATE human_request SET votes = $3 WHERE id = $2 AND team_id = $1 AND status = 'pending' RETURNING id, run_id, team_id, tool_call_id, type, title, description, questions, status, response, votes, assignee, due_at, on_timeout, required_approvals, responded_at, created_at;

-- anyOverdue (src/lifecycle/human-requests/human-requests.sql.ts)
SELECT FROM human_request WHERE status = 'pending' AND due_at <= now();

-- overdueRequests (src/lifecycle/human-requests/human-requests.sql.ts)
SELECT id, run_id, team_id FROM human_request WHERE status = 'pending' AND due_at <= now() AND id <> ALL ($2::uuid[]) ORDER BY due_at LIMIT $1;
