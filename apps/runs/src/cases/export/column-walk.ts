import { AppError, type CaseFilters } from '@aos/contracts';
import { Transactions } from '@aos/persistence';
import { Injectable } from '@nestjs/common';
import { caseFilterOf } from '../case-filter.js';
import { CaseList } from '../case-list.js';
import type { CaseCursor } from '../case-pages.sql.js';
import { columnsOfCases } from './case-export.sql.js';
import { mostColumns } from './csv-columns.js';
import type { Columns } from './exported-rows.js';
import { NeededColumns, type NeededColumn } from './needed-columns.js';

export interface ExportRequest {
  readonly queue_id: string;
  readonly format: 'csv' | 'ndjson';
  readonly filters: CaseFilters;
  readonly search?: string;
}

/** How far the cases of an export were looked through, and the columns that they need. */
export interface Gathered {
  readonly columns: Columns;
  readonly after?: CaseCursor;
}

/** Of these only the names in their data are read, which may be large. */
const mostAtOnce = 1_000;

/** Finds the columns that a file needs, in the cases that are exported and no others. */
@Injectable()
export class ColumnWalk {
  constructor(
    private readonly list: CaseList,
    private readonly transactions: Transactions,
  ) {}

  /** Some at a time, for a queue may hold more than one statement can read, until they are over or it has taken so long. */
  async goOn(
    { queue_id: queueId, filters, search }: ExportRequest,
    from: Gathered,
    most: { readonly cases: number; readonly ms: number },
  ): Promise<Gathered & { readonly isOver: boolean }> {
    const began = performance.now();
    const filter = caseFilterOf(queueId, filters, search);
    const columns = new NeededColumns(from.columns);
    let { after } = from;
    let isOver = false;
    for (let seen = 0; !isOver && seen < most.cases && performance.now() - began < most.ms;) {
      const { ids, last } = await this.list.walk(filter, after, mostAtOnce);
      if (ids.length > 0) columns.add(await this.columnsOf(ids));
      if (columns.areTooMany) {
        throw new AppError('invalid_request', `format: more than ${mostColumns} columns; take ndjson.`);
      }
      seen += ids.length;
      after = last ?? after;
      isOver = ids.length < mostAtOnce;
    }
    return { columns: columns.sorted(), after, isOver };
  }

  private columnsOf(ids: readonly string[]): Promise<NeededColumn[]> {
    return this.transactions.query<NeededColumn>(columnsOfCases, [ids, mostColumns + 1]);
  }
}
