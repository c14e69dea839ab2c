import { Transactions, type PageRequest } from '@aos/persistence';
import { Injectable } from '@nestjs/common';
import type { PublicRun } from '../../run-core/run.mapper.js';
import type { RunFilter, RunOrder } from './run-filters.js';
import { runPageQuery } from './run-page.sql.js';
import { runTotalQuery } from './run-total.sql.js';

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
