import type { Case } from '@aos/client';
import { count } from '../ui/format';

/** The cases of one status, as many as are shown. */
export interface BoardColumn {
  readonly here: readonly Case[];
  readonly count: string;
  readonly isMore: boolean;
}

export const shownInColumn = 50;

/** So many that are not settled are looked through at most. */
const maxScanned = 1_000;

export function columnOf({ cases, total }: { cases: readonly Case[]; total: number }): BoardColumn {
  return { here: cases, count: count(total), isMore: total > cases.length };
}

/** Cases that nobody works on. The service returns all open cases for pending, so this filters them. */
export async function pendingColumn(unsettled: AsyncIterable<Case>): Promise<BoardColumn> {
  const here: Case[] = [];
  let looked = 0;
  for await (const one of unsettled) {
    if (here.length >= shownInColumn || looked >= maxScanned) {
      return { here, count: `${here.length}+`, isMore: true };
    }
    looked += 1;
    if (one.display_status === 'pending') here.push(one);
  }
  return { here, count: count(here.length), isMore: false };
}
