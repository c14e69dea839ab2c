import type { CaseDisplayStatus, CaseFilters } from '@aos/client';
import { words } from '../ui/format';

export interface CaseSearch {
  readonly search?: string | undefined;
  readonly status?: CaseDisplayStatus | undefined;
}

/** In the order in which a case passes through them. */
export const caseStatuses = [
  'pending',
  'postponed',
  'in_progress',
  'needs_input',
  'completed',
  'failed',
] as const satisfies readonly CaseDisplayStatus[];

/** As a filter the service takes `pending` for all that are not settled, also those that are put off or worked on. */
export function statusLabel(status: CaseDisplayStatus): string {
  return status === 'pending' ? 'Not settled' : words(status);
}

export function listInput({ search, status }: CaseSearch) {
  return { ...(search ? { search } : {}), ...(status ? { status: [status] } : {}) };
}

/** The same for a bulk action over all that match. */
export function selectorOf({ search, status }: CaseSearch): {
  all_matching: true;
  filters?: CaseFilters;
  search?: string;
} {
  return {
    all_matching: true,
    ...(status ? { filters: { status: [status] } } : {}),
    ...(search ? { search } : {}),
  };
}
