import { AppError, continueCaseExport, exportCases, type Req } from '@aos/contracts';
import { Handles, HandlesInternal } from '@aos/messaging';
import { Controller, Injectable } from '@nestjs/common';
import { type CaseFilter, caseFilterOf } from '../case-filter.js';
import { CaseList } from '../case-list.js';
import type { CaseCursor } from '../case-pages.sql.js';
import { CasesRepository } from '../cases.repository.js';
import { QueuesRepository } from '../queues/queues.repository.js';
import {
  type Columns,
  ColumnWalk,
  csvHeader,
  csvRow,
  type ExportRequest,
  type Gathered,
  ndjsonRow,
  roomIn,
} from './exported-rows.js';

/** The cursor of an export: everything that the next page needs. */
export interface ExportState extends ExportRequest {
  readonly after?: CaseCursor;
  readonly columns?: Columns;
  /** Set until all columns are known. */
  readonly gathered?: Gathered;
  /** When the last case was made whose columns are known. */
  readonly until?: string;
}

export interface ExportedPage {
  readonly text: string;
  readonly next: ExportState | null;
}

const maxRows = 500;
/** A page is sent on when it has this size; rows that are left come with the next. */
const pageLength = 1024 * 1024;
const firstPart = 10;
/** Bounds one request, so that a client that disconnects costs no more. */
const lookedThrough = { cases: 20_000, ms: 5_000 };
const allOfThem = { cases: Infinity, ms: Infinity };
const nothing: Gathered = { columns: { labels: [], data: [] } };
/**
 * A replica of the version before would go on without columns as if NDJSON were wanted. No database knows this year, so
 * that it fails instead.
 */
const nowhere: CaseCursor = {
  created_at: '0000-01-01T00:00:00.000Z',
  id: '00000000-0000-0000-0000-000000000000',
};

/** Gives the cases of a queue as text, page by page, in the order of their making. */
@Injectable()
export class CaseExport {
  constructor(
    private readonly queues: QueuesRepository,
    private readonly cases: CasesRepository,
    private readonly list: CaseList,
    private readonly walk: ColumnWalk,
  ) {}

  async begin(teamId: string, request: ExportRequest): Promise<ExportedPage> {
    await this.queues.get(teamId, request.queue_id);
    return request.format === 'csv' ? this.gather(request, nothing, lookedThrough) : this.page(request);
  }

  async goOn(teamId: string, state: ExportState): Promise<ExportedPage> {
    await this.queues.get(teamId, state.queue_id);
    if (state.format === 'ndjson' || state.columns) return this.page(state);
    const { gathered, after: _nowhere, ...request } = state;
    // A gateway of the version before keeps only what it knows of a state: for it there is one page with all columns.
    return gathered
      ? this.gather(request, gathered, lookedThrough)
      : this.gather(request, nothing, allOfThem);
  }

  /** Pages without text until all columns are known, and then the first with them. */
  private async gather(
    request: ExportRequest,
    from: Gathered,
    most: typeof lookedThrough,
  ): Promise<ExportedPage> {
    const { columns, after, isOver } = await this.walk.goOn(request, from, most);
    if (!isOver) return { text: '', next: { ...request, after: nowhere, gathered: { columns, after } } };
    const { text, next } = await this.page({ ...request, columns, until: after?.created_at });
    return { text: csvHeader(columns) + text, next };
  }

  private async page(state: ExportState): Promise<ExportedPage> {
    const { ids, last: end } = await this.list.walk(filterOf(state), state.after, maxRows);
    const rowOf = writerOf(state);
    let text = '';
    let last: CaseCursor | undefined;
    let read = 0;
    for (let size = firstPart; read < ids.length && text.length < pageLength; size = partAfter(read, text)) {
      const part = ids.slice(read, read + size);
      for (const row of await this.cases.byIds(part)) {
        text += rowOf(row);
        last = { id: row.id, created_at: row.created_at.toISOString() };
      }
      read += part.length;
    }
    const isRead = read === ids.length;
    if (isRead && ids.length < maxRows) return { text, next: null };
    // Behind the walk, not behind the last case that was found: all of them may have been deleted in between.
    return { text, next: { ...state, after: isRead ? end : last } };
  }
}

/** Excludes cases created after the columns were collected, which may need other columns. */
function filterOf({ queue_id: queueId, filters, search, until }: ExportState): CaseFilter {
  const filter = caseFilterOf(queueId, filters, search);
  return until === undefined ? filter : { ...filter, createdUntil: new Date(until) };
}

/** A case may have been changed since, or match only now: a file without a part of it would not tell so. */
function writerOf({ columns }: ExportState): typeof ndjsonRow {
  if (!columns) return ndjsonRow;
  const hasRoom = roomIn(columns);
  return (row) => {
    if (hasRoom(row)) return csvRow(row, columns);
    throw new AppError('unavailable', 'A case changed during the export; export again.');
  };
}

/** A case may have a megabyte of data, and most have little: as many as fit by what the first ones took. */
function partAfter(rows: number, text: string): number {
  const room = pageLength - text.length;
  return Math.max(firstPart, Math.floor((room * rows) / (text.length + 1)));
}

@Controller()
export class CaseExportHandlers {
  constructor(private readonly exports: CaseExport) {}

  @Handles(exportCases)
  exportCases({ teamId, params, query }: Req<typeof exportCases>) {
    const { format, search, ...filters } = query;
    const request = { queue_id: params.queue_id, format, filters, search };
    return this.exports.begin(teamId, request);
  }

  @HandlesInternal(continueCaseExport)
  continueCaseExport({ team_id, state }: Req<typeof continueCaseExport>) {
    return this.exports.goOn(team_id, state);
  }
}
