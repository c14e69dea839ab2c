import type { HumanRequest } from '@aos/contracts';
import type { HumanRequestEntity } from './human-request.entity.js';

export function toHumanRequest(row: HumanRequestEntity): HumanRequest {
  return {
    id: row.id,
    request_id: row.id,
    run_id: row.run_id,
    type: row.type,
    title: row.title,
    description: row.description,
    questions: row.questions ?? undefined,
    status: row.status,
    response: row.response,
    votes: row.votes,
    assignee: row.assignee,
    due_at: row.due_at?.toISOString() ?? null,
    on_timeout: row.on_timeout,
    required_approvals: row.required_approvals,
    responded_at: row.responded_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
  };
}
