import type { CountedQueue } from './queues.service.js';

export function toQueue(queue: CountedQueue) {
  const { id, team_id, name, description, counts, has_approvals, created_at, updated_at } = queue;
  return {
    id,
    queue_id: id,
    team_id,
    name,
    description,
    folder_id: null,
    has_approvals,
    case_counts: counts,
    created_at: created_at.toISOString(),
    updated_at: updated_at.toISOString(),
  };
}
