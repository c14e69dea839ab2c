import type { HumanRequest } from '@aos/client';

/** Sorts by due date, then requests without one, oldest first. */
export function byUrgency(requests: readonly HumanRequest[]): HumanRequest[] {
  const rank = ({ due_at: due, created_at: created }: HumanRequest) =>
    due === null ? `1${created}` : `0${due}`;
  return [...requests].sort((one, other) => rank(one).localeCompare(rank(other)));
}
