import type { CasePriority, CaseStatus, Client, InputOf } from '@aos/client';

export type BulkChange =
  | { readonly kind: 'delete' }
  | { readonly kind: 'again' }
  | { readonly kind: 'status'; readonly status: CaseStatus }
  | { readonly kind: 'priority'; readonly priority: CasePriority };

export interface BulkCounts {
  readonly changed: number;
  readonly skipped: number;
}

/** As many as the service takes by their ids. */
const maxConcurrent = 100;

/** Does it to the cases that the selector names. */
export async function changeCases(
  client: Client,
  which: InputOf<'bulkDeleteCases'>,
  change: BulkChange,
): Promise<BulkCounts> {
  switch (change.kind) {
    case 'delete': {
      const { deleted_count: changed, skipped_count: skipped } = await client.bulkDeleteCases(which);
      return { changed, skipped };
    }
    case 'again': {
      const { reprocessed_count: changed, skipped_count: skipped } = await client.bulkReprocessCases(which);
      return { changed, skipped };
    }
    case 'status': {
      const { status } = change;
      const answer = await client.bulkUpdateCaseStatus({ ...which, status });
      return { changed: answer.updated_count, skipped: answer.skipped_count };
    }
    case 'priority': {
      const { priority } = change;
      const answer = await client.bulkUpdateCasePriority({ ...which, priority });
      return { changed: answer.updated_count, skipped: answer.skipped_count };
    }
  }
}

/** Any number of cases, some after the others, so that those of a batch that is done stay done when a later one fails. */
export async function inBatches(
  caseIds: readonly string[],
  change: (batch: readonly string[]) => Promise<BulkCounts>,
): Promise<BulkCounts> {
  let [changed, skipped] = [0, 0];
  for (let at = 0; at < caseIds.length; at += maxConcurrent) {
    const counts = await change(caseIds.slice(at, at + maxConcurrent));
    changed += counts.changed;
    skipped += counts.skipped;
  }
  return { changed, skipped };
}
