import { Transactions, type PageRequest } from '@aos/persistence';
import { Inject, Injectable } from '@nestjs/common';
import type { ShownRun } from '../runs/run.mapper.js';
import type { RunFilter, RunOrder } from './run-filters.js';
import { runPageQuery } from './run-page-query.js';
import { runTotalQuery } from './run-total-query.js';

/** Not prepared: the best plan differs with the values of a filter. */
@Injectable()
export class RunListRepository {
  constructor(@Inject(Transactions) private readonly transactions: Transactions) {}

  async page(teamId: string, filter: RunFilter, order: RunOrder, page: PageRequest): Promise<ShownRun[]> {
    const { sql, parameters } = runPageQuery(teamId, filter, order, page);
    return this.transactions.query<ShownRun>(sql, parameters);
  }

  async total(teamId: string, filter: RunFilter): Promise<number> {
    const { sql, parameters } = runTotalQuery(teamId, filter);
    const [row] = await this.transactions.query<{ total: string }>(sql, parameters);
    return Number(row!.total);
  }
}
