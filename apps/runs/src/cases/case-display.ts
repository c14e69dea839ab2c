import type { CaseDisplayStatus } from '@aos/contracts';
import type { CaseEntity } from './case.entities.js';

type Shown = Pick<CaseEntity, 'status' | 'claimed_by_run_id' | 'pending_human_request_id' | 'postponed_to'>;

/** What a case is shown as: what is not settled is told apart by what happens to it. */
export function displayStatus(row: Shown, now: Date): CaseDisplayStatus {
  if (row.status !== 'pending') return row.status;
  if (row.pending_human_request_id !== null) return 'needs_input';
  if (row.claimed_by_run_id !== null) return 'in_progress';
  return row.postponed_to !== null && row.postponed_to > now ? 'postponed' : 'pending';
}
