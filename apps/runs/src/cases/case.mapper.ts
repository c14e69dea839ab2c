import type { Case, CaseActor, Principal } from '@aos/contracts';
import { displayStatus } from './case-display.js';
import { priorityOf } from './case-rank.js';
import type { CaseEntity, CaseEventEntity } from './case.entities.js';

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
