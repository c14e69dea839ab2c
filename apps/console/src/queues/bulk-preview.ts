import type { Case } from '@aos/client';
import type { UnsettledCounts } from '../data/lookups/unsettled-counts';
import { counted } from '../ui/format';
import type { CaseSearch } from './case-search';

/** How many of the cases that are to be changed are being worked on or put off. */
export interface Touched {
  readonly atWork: number;
  readonly postponed: number;
}

/** For selected cases. */
export function touchedOf(cases: readonly Pick<Case, 'display_status'>[]): Touched {
  const countOf = (...statuses: readonly Case['display_status'][]) =>
    cases.filter(({ display_status: status }) => statuses.includes(status)).length;
  return { atWork: countOf('in_progress', 'needs_input'), postponed: countOf('postponed') };
}

/** For all matches of a filter. `unsettled` counts without the status filter. */
export function touchedByFilter(
  { status }: CaseSearch,
  { in_progress, needs_input, postponed }: UnsettledCounts,
): Touched {
  const isMeant = (one: NonNullable<CaseSearch['status']>) =>
    status === undefined || status === 'pending' || status === one;
  return {
    atWork: (isMeant('in_progress') ? in_progress : 0) + (isMeant('needs_input') ? needs_input : 0),
    postponed: isMeant('postponed') ? postponed : 0,
  };
}

/** Describes side effects of a status change. */
export function settlingNotes({ atWork, postponed }: Touched): string[] {
  return [
    ...(atWork > 0
      ? [
          `${counted(atWork, 'case is', 'cases are')} being worked on: ${atWork === 1 ? 'its run is' : 'their runs are'} stopped.`,
        ]
      : []),
    ...(postponed > 0 ? [`${counted(postponed, 'case is', 'cases are')} postponed.`] : []),
  ];
}
