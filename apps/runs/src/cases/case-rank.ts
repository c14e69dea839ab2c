import type { CasePriority } from '@aos/contracts';

const ranks: Readonly<Record<CasePriority, number>> = { high: 0, medium: 1, none: 2 };
const priorities = Object.fromEntries(
  Object.entries(ranks).map(([priority, rank]) => [rank, priority as CasePriority]),
);

/** From the most urgent to the least. */
export const allRanks = Object.values(ranks).sort((one, other) => one - other);

export function rankOf(priority: CasePriority): number {
  return ranks[priority];
}

export function priorityOf(rank: number): CasePriority {
  return priorities[rank]!;
}
