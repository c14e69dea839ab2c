import { listRuns, type Req } from '@aos/contracts';
import { Handles } from '@aos/messaging';
import { type PageRequest, Transactions } from '@aos/persistence';
import { Controller, Injectable } from '@nestjs/common';
import { PendingReasons } from '../../run-core/claims/pending-reasons.js';
import { type PublicRun, toRun } from '../../run-core/run.mapper.js';
import { type RunFilter, runFilterOf, type RunListQuery, type RunOrder } from './run-filters.js';
import { runPageQuery, runTotalQuery } from './run-page.sql.js';

/** Not prepared: the best plan differs with the values of a filter. */
@Injectable()
export class RunListRepository {
  constructor(private readonly transactions: Transactions) {}

  /** The runs of a page, and how many there are on it if their size is left out of account. */
  async page(
    teamId: string,
    filter: RunFilter,
    order: RunOrder,
    page: PageRequest,
  ): Promise<{ runs: PublicRun[]; found: number }> {
    const { sql, parameters } = runPageQuery(teamId, filter, order, page);
    const runs = await this.transactions.query<PublicRun & { page_rows: number }>(sql, parameters);
    return { runs, found: runs[0]?.page_rows ?? 0 };
  }

  async total(teamId: string, filter: RunFilter): Promise<number> {
    const { sql, parameters } = runTotalQuery(teamId, filter);
    const [row] = await this.transactions.query<{ total: string }>(sql, parameters);
    return Number(row!.total);
  }
}

export interface ListedRuns {
  readonly runs: readonly PublicRun[];
  readonly total: number;
}

@Injectable()
export class RunListService {
  constructor(
    private readonly list: RunListRepository,
    private readonly pending: PendingReasons,
  ) {}

  async find(teamId: string, query: RunListQuery): Promise<ListedRuns> {
    const filter = runFilterOf(query);
    if (matchesNothing(filter)) return { runs: [], total: 0 };
    if (query.count_only) return { runs: [], total: await this.list.total(teamId, filter) };
    const { limit, offset } = query;
    const order = { by: query.sort_by, direction: query.sort_order };
    const { runs, found } = await this.list.page(teamId, filter, order, { limit, offset });
    const total = totalOf(found, query) ?? (await this.list.total(teamId, filter));
    return { runs: await this.pending.explain(teamId, runs), total };
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

@Controller()
export class RunListHandlers {
  constructor(private readonly list: RunListService) {}

  @Handles(listRuns)
  async listRuns({ teamId, query }: Req<typeof listRuns>) {
    const { runs, total } = await this.list.find(teamId, query);
    return { data: runs.map(toRun), total };
  }
}
