import type { CountedQueue } from './queues.service.js';

export function toQueue({ id, team_id, name, description, counts, created_at, updated_at }: CountedQueue) {
  return {
    id,
    queue_id: id,
    team_id,
    name,
    description,
    case_counts: counts,
    created_at: created_at.toISOString(),
    updated_at: updated_at.toISOString(),
  };
}
