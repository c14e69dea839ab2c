import type { Case, CaseActor, CaseDisplayStatus, CasePriority, Principal } from '@aos/contracts';
import { searchable } from '../lifecycle/run-list/run-filters.js';
import type { CaseEntity, CaseEventEntity } from './case.entities.js';

type Shown = Pick<CaseEntity, 'status' | 'claimed_by_run_id' | 'pending_human_request_id' | 'postponed_to'>;

/** Derives the displayed status of a case. */
export function displayStatus(row: Shown, now: Date): CaseDisplayStatus {
  if (row.status !== 'pending') return row.status;
  if (row.pending_human_request_id !== null) return 'needs_input';
  if (row.claimed_by_run_id !== null) return 'in_progress';
  return row.postponed_to !== null && row.postponed_to > now ? 'postponed' : 'pending';
}

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

/** Returns the searched text: the title and every string and number of the data, case-folded. */
export function caseText(title: string, data: unknown): string {
  return searchable([title, ...valuesOf(data)].join('\n'));
}

/** Walks without recursion: data may be deep, and wide. */
function valuesOf(root: unknown): string[] {
  const found: string[] = [];
  const stack: unknown[] = [root];
  while (stack.length > 0) {
    const value = stack.pop();
    if (typeof value === 'string') found.push(value);
    else if (typeof value === 'number') found.push(String(value));
    // One by one: a call takes about a hundred thousand arguments and no more.
    else if (typeof value === 'object' && value !== null)
      for (const part of Object.values(value).reverse()) stack.push(part);
  }
  return found;
}

/** A label as rows of cases bring it. */
export interface LabelOfCase {
  readonly id: string;
  readonly key: string;
  readonly value: string;
  readonly hue: number;
}

/** A case as callers see it: with its labels. */
export type PublicCase = CaseEntity & { readonly labels: readonly LabelOfCase[] };

export function toCase(row: PublicCase): Case {
  return {
    id: row.id,
    case_id: row.id,
    queue_id: row.queue_id,
    title: row.title,
    data: row.data,
    status: row.status,
    display_status: displayStatus(row, new Date()),
    priority: priorityOf(row.rank),
    labels: row.labels.map(toLabel),
    claimed_by_run_id: row.claimed_by_run_id,
    claimed_at: row.claimed_at?.toISOString() ?? null,
    postponed_to: row.postponed_to?.toISOString() ?? null,
    completed_at: row.completed_at?.toISOString() ?? null,
    pending_human_request_id: row.pending_human_request_id,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

export function toLabel({ id, key, value, hue }: LabelOfCase): Case['labels'][number] {
  return { id, label_id: id, key, value, color_hue: hue };
}

export function toCaseEvent({ id, type, actor, reason, created_at: at }: CaseEventEntity) {
  return { id, type, actor, reason, created_at: at.toISOString() };
}

export function actorOf({ credentialId }: Principal): CaseActor {
  return { type: 'credential', id: credentialId };
}

export function runActor(runId: string): CaseActor {
  return { type: 'run', id: runId };
}
