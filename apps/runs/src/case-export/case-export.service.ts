import { AppError, type CaseFilters } from '@aos/contracts';
import { Transactions } from '@aos/persistence';
import { Injectable } from '@nestjs/common';
import { CasesRepository } from '../case-core/cases.repository.js';
import { QueuesRepository } from '../case-core/queues.repository.js';
import { caseFilterOf } from '../cases/case-filter.js';
import { CaseList } from '../cases/case-list.js';
import type { CaseCursor } from '../cases/case-pages.sql.js';
import { columnsOfCases } from './case-export.sql.js';
import { mostColumns } from './csv-columns.js';
import { csvHeader, csvRow, ndjsonRow, type Columns } from './exported-rows.js';
import { NeededColumns, type NeededColumn } from './needed-columns.js';

export interface ExportRequest {
  readonly queue_id: string;
  readonly format: 'csv' | 'ndjson';
  readonly filters: CaseFilters;
  readonly search?: string;
}

/** What is asked for after a page: all that the next one needs. */
export interface ExportState extends ExportRequest {
  readonly after?: CaseCursor;
  readonly columns?: Columns;
}

export interface ExportedPage {
  readonly text: string;
  readonly next: ExportState | null;
}

const mostRows = 500;
/** Of these only the names in their data are read, which may be large. */
const mostLookedAt = 1_000;
/** A page is sent on when it has this size; rows that are left come with the next. */
const pageLength = 1024 * 1024;
const firstPart = 10;

/** Gives the cases of a queue as text, page by page, in the order of their making. */
@Injectable()
export class CaseExport {
  constructor(
    private readonly queues: QueuesRepository,
    private readonly cases: CasesRepository,
    private readonly list: CaseList,
    private readonly transactions: Transactions,
  ) {}

  async begin(teamId: string, request: ExportRequest): Promise<ExportedPage> {
    await this.queues.get(teamId, request.queue_id);
    if (request.format === 'ndjson') return this.page(teamId, request);
    const columns = await this.columns(request);
    const { text, next } = await this.page(teamId, { ...request, columns });
    return { text: csvHeader(columns) + text, next };
  }

  async page(teamId: string, state: ExportState): Promise<ExportedPage> {
    await this.queues.get(teamId, state.queue_id);
    const filter = caseFilterOf(state.queue_id, state.filters, state.search);
    const { ids, last: end } = await this.list.walk(filter, state.after, mostRows);
    let text = '';
    let last: CaseCursor | undefined;
    let read = 0;
    for (let size = firstPart; read < ids.length && text.length < pageLength; size = partAfter(read, text)) {
      const part = ids.slice(read, read + size);
      for (const row of await this.cases.byIds(part)) {
        text += state.columns ? csvRow(row, state.columns) : ndjsonRow(row);
        last = { id: row.id, created_at: row.created_at.toISOString() };
      }
      read += part.length;
    }
    const isRead = read === ids.length;
    if (isRead && ids.length < mostRows) return { text, next: null };
    // Behind the walk, not behind the last case that was found: all of them may have been deleted in between.
    return { text, next: { ...state, after: isRead ? end : last } };
  }

  /** From the cases that are exported and no others, some at a time: a queue may hold more than one statement can read. */
  private async columns({ queue_id: queueId, filters, search }: ExportRequest): Promise<Columns> {
    const filter = caseFilterOf(queueId, filters, search);
    const columns = new NeededColumns();
    let after: CaseCursor | undefined;
    do {
      const { ids, last } = await this.list.walk(filter, after, mostLookedAt);
      if (ids.length > 0) columns.add(await this.columnsOf(ids));
      if (columns.areTooMany) {
        throw new AppError('invalid_request', `format: more than ${mostColumns} columns; take ndjson.`);
      }
      after = ids.length < mostLookedAt ? undefined : last;
    } while (after);
    return columns.sorted();
  }

  private columnsOf(ids: readonly string[]): Promise<NeededColumn[]> {
    return this.transactions.query<NeededColumn>(columnsOfCases, [ids, mostColumns + 1]);
  }
}

/** A case may have a megabyte of data, and most have little: as many as fit by what the first ones took. */
function partAfter(rows: number, text: string): number {
  const room = pageLength - text.length;
  return Math.max(firstPart, Math.floor((room * rows) / (text.length + 1)));
}
