import type { RunChangePart } from '../run-core/statement-parts.js';

/** A request is stored with the change that lets its run wait: by hand, for it is a part of that statement. */
export const askedRequests: RunChangePart = {
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
