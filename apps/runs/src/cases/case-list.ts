import { Transactions, type Page, type PageRequest } from '@aos/persistence';
import { Injectable } from '@nestjs/common';
import type { PublicCase } from '../case-core/case.mapper.js';
import { matchesNothing, type CaseFilter, type CaseOrder } from './case-filter.js';
import { casePageQuery, caseTotalQuery, caseWalkQuery, type CaseCursor } from './case-pages.sql.js';

/** Lists and walks of cases. Not prepared: the best plan differs with the values of a filter. */
@Injectable()
export class CaseList {
  constructor(private readonly transactions: Transactions) {}

  async page(filter: CaseFilter, order: CaseOrder, page: PageRequest): Promise<Page<PublicCase>> {
    if (filter.ranks.length === 0 || filter.statuses.length === 0 || matchesNothing(filter)) {
      return { items: [], total: 0, ...page };
    }
    const { sql, parameters } = casePageQuery(filter, order, page);
    const rows = await this.transactions.query<PublicCase & { page_rows: number }>(sql, parameters);
    const found = rows[0]?.page_rows ?? 0;
    const isLast = found < page.limit && (found > 0 || page.offset === 0);
    const total = isLast ? page.offset + found : await this.total(filter);
    return { items: rows, total, ...page };
  }

  async total(filter: CaseFilter): Promise<number> {
    const { sql, parameters } = caseTotalQuery(filter);
    const [row] = await this.transactions.query<{ total: string }>(sql, parameters);
    return Number(row!.total);
  }

  /** The next cases that match, in the order of their making, and where to go on after them. */
  async walk(
    filter: CaseFilter,
    after: CaseCursor | undefined,
    limit: number,
  ): Promise<{ ids: string[]; last: CaseCursor | undefined }> {
    if (matchesNothing(filter)) return { ids: [], last: undefined };
    const { sql, parameters } = caseWalkQuery(filter, after, limit);
    const rows = await this.transactions.query<{ id: string; created_at: Date }>(sql, parameters);
    const end = rows.at(-1);
    return {
      ids: rows.map(({ id }) => id),
      last: end && { id: end.id, created_at: end.created_at.toISOString() },
    };
  }
}
