import {
  type CaseDisplayStatus,
  caseDisplayStatuses,
  type CaseFilters,
  type CaseSortField,
  type CaseStatus,
  caseStatuses,
  caseStatusGroups,
} from '@aos/contracts';
import { momentOf } from '../run-core/run-columns.js';
import { allRanks, rankOf } from './case.mapper.js';

/** Which cases of a queue are wanted. */
export interface CaseFilter {
  readonly queueId: string;
  /** Stored and displayed statuses, without duplicates. */
  readonly statuses: readonly CaseDisplayStatus[];
  readonly ranks: readonly number[];
  readonly search: string | undefined;
  readonly createdFrom: Date | undefined;
  readonly createdTo: Date | undefined;
  readonly updatedFrom: Date | undefined;
  readonly updatedTo: Date | undefined;
  readonly labels: readonly (readonly [key: string, values: readonly string[]])[];
  /** The labels of each key that is wanted, once they were looked up: which there are decides how to find their cases. */
  readonly labelIds?: readonly (readonly string[])[];
  readonly createdUntil?: Date;
}

export interface CaseOrder {
  readonly by: CaseSortField;
  readonly direction: 'asc' | 'desc';
}

export function caseFilterOf(
  queueId: string,
  filters: CaseFilters = {},
  search: string | undefined = undefined,
): CaseFilter {
  return {
    queueId,
    statuses: wantedStatuses(filters.status),
    ranks: wantedRanks(filters.priority),
    search,
    createdFrom: momentOf(filters.created_at_from),
    createdTo: momentOf(filters.created_at_to),
    updatedFrom: momentOf(filters.updated_at_from),
    updatedTo: momentOf(filters.updated_at_to),
    labels: Object.entries(filters.labels ?? {}),
  };
}

export function isStored(status: CaseDisplayStatus): status is CaseStatus {
  return (caseStatuses as readonly string[]).includes(status);
}

/** Whether the ledger, which knows stored statuses and ranks, can tell how many there are. */
export function isLedgerFilter(filter: CaseFilter): boolean {
  return (
    filter.statuses.every(isStored) &&
    filter.search === undefined &&
    filter.createdFrom === undefined &&
    filter.createdTo === undefined &&
    filter.updatedFrom === undefined &&
    filter.updatedTo === undefined &&
    filter.createdUntil === undefined &&
    filter.labels.length === 0
  );
}

/** Postgres has no text with a zero in it, and refuses to look for one. */
export function matchesNothing({ search, labels }: CaseFilter): boolean {
  const texts = [search ?? '', ...labels.flatMap(([key, values]) => [key, ...values])];
  return texts.some((text) => text.includes('\0'));
}

const groups: Readonly<Record<string, readonly CaseDisplayStatus[] | undefined>> = caseStatusGroups;

/** Every displayed status of an open case is stored as pending. */
function wantedStatuses(wanted: CaseFilters['status']): CaseDisplayStatus[] {
  if (wanted === undefined) return [...caseStatuses];
  const named = new Set<string>(wanted.flatMap((name): readonly string[] => groups[name] ?? [name]));
  const all = caseDisplayStatuses.filter((status) => named.has(status));
  return all.includes('pending') ? all.filter(isStored) : all;
}

function wantedRanks(wanted: CaseFilters['priority']): number[] {
  if (wanted === undefined) return allRanks;
  const ranks = new Set(wanted.map(rankOf));
  return allRanks.filter((rank) => ranks.has(rank));
}
