import { Injectable } from '@nestjs/common';
import { RunNumbers } from '../../run-core/starts/run-numbers.js';
import { PendingReasons } from '../../run-core/claims/pending-reasons.js';
import type { PublicRun } from '../../run-core/run.mapper.js';
import { runFilterOf, type RunFilter, type RunListQuery } from './run-filters.js';
import { RunListRepository } from './run-list.repository.js';

export interface ListedRuns {
  readonly runs: readonly PublicRun[];
  readonly total: number;
}

@Injectable()
export class RunListService {
  constructor(
    private readonly list: RunListRepository,
    private readonly pending: PendingReasons,
    private readonly numbers: RunNumbers,
  ) {}

  async find(teamId: string, query: RunListQuery): Promise<ListedRuns> {
    const filter = runFilterOf(query);
    if (matchesNothing(filter)) return { runs: [], total: 0 };
    if (query.count_only) return { runs: [], total: await this.list.total(teamId, filter) };
    const { limit, offset } = query;
    const order = { by: query.sort_by, direction: query.sort_order };
    const { runs, found } = await this.list.page(teamId, filter, order, { limit, offset });
    const total = totalOf(found, query) ?? (await this.list.total(teamId, filter));
    const numbered = await this.numbers.complete(teamId, runs);
    return { runs: await this.pending.explain(teamId, numbered), total };
  }
}

/** Postgres has no text with a zero in it, and refuses to look for one. */
function matchesNothing({ search }: RunFilter): boolean {
  return search?.includes('\0') ?? false;
}

/** The last page tells how many there are. */
function totalOf(found: number, { limit, offset }: { limit: number; offset: number }): number | undefined {
  const isLast = found < limit && (found > 0 || offset === 0);
  return isLast ? offset + found : undefined;
}
