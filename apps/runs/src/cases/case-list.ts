import { Transactions, type Page, type PageRequest } from '@aos/persistence';
import { Injectable } from '@nestjs/common';
import type { PublicCase } from './case.mapper.js';
import { matchesNothing, type CaseFilter, type CaseOrder } from './case-filter.js';
import {
  casePageQuery,
  caseTotalQuery,
  caseWalkQuery,
  labelsQuery,
  type CaseCursor,
  type Query,
} from './case-pages.sql.js';

/** How many cases behind a page are counted, where the ledger does not tell. */
const countedBehind = 1_000;

/** Lists and walks of cases. Not prepared: the best plan differs with the values of a filter. */
@Injectable()
export class CaseList {
  constructor(private readonly transactions: Transactions) {}

  async page(wanted: CaseFilter, order: CaseOrder, page: PageRequest): Promise<Page<PublicCase>> {
    const filter = await this.resolved(wanted);
    if (!filter) return { items: [], total: 0, ...page };
    const rows = await this.query<PublicCase & { page_rows: number }>(casePageQuery(filter, order, page));
    const found = rows[0]?.page_rows ?? 0;
    const isLast = found < page.limit && (found > 0 || page.offset === 0);
    const total = isLast ? page.offset + found : await this.total(filter, page);
    return { items: rows, total, ...page };
  }

  /** The next cases that match, in the order of their making, and where to go on after them. */
  async walk(
    wanted: CaseFilter,
    after: CaseCursor | undefined,
    limit: number,
  ): Promise<{ ids: string[]; last: CaseCursor | undefined }> {
    const filter = await this.resolved(wanted);
    if (!filter) return { ids: [], last: undefined };
    const rows = await this.query<{ id: string; created_at: Date }>(caseWalkQuery(filter, after, limit));
    const end = rows.at(-1);
    return {
      ids: rows.map(({ id }) => id),
      last: end && { id: end.id, created_at: end.created_at.toISOString() },
    };
  }

  /** Exact, unless more lie behind the page than are counted: then so many, and a walk from page to page goes on. */
  private async total(filter: CaseFilter, { limit, offset }: PageRequest): Promise<number> {
    const [row] = await this.query<{ total: string }>(caseTotalQuery(filter, offset + limit + countedBehind));
    return Number(row!.total);
  }

  /** With the ids of the labels that it names; undefined if no case can match. */
  private async resolved(filter: CaseFilter): Promise<CaseFilter | undefined> {
    if (filter.ranks.length === 0 || filter.statuses.length === 0 || matchesNothing(filter)) return undefined;
    if (filter.labels.length === 0) return filter;
    const found = await this.query<{ id: string; key: string }>(labelsQuery(filter));
    const labelIds = filter.labels.map(([key]) => found.filter((one) => one.key === key).map(({ id }) => id));
    return labelIds.every((ids) => ids.length > 0) ? { ...filter, labelIds } : undefined;
  }

  private query<Row extends object>({ sql, parameters }: Query): Promise<Row[]> {
    return this.transactions.query<Row>(sql, parameters);
  }
}
