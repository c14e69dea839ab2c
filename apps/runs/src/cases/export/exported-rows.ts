import { AppError, type CaseFilters } from '@aos/contracts';
import { Transactions } from '@aos/persistence';
import { Injectable } from '@nestjs/common';
import { caseFilterOf } from '../case-filter.js';
import { CaseList } from '../case-list.js';
import type { CaseCursor } from '../case-pages.sql.js';
import { priorityOf, type PublicCase, toCase } from '../case.mapper.js';
import { columnsOfCases } from './case-export.sql.js';
import { columnOfData, csvCell, fieldColumns, labelPrefix, maxColumns } from './csv-columns.js';

/** A name in the data, or a number of labels with one key. */
export interface NeededColumn {
  readonly kind: 'data' | 'label';
  readonly name: string;
  readonly times: number;
}

/** Gathers the columns that a file needs, a part of its cases after the other. */
export class NeededColumns {
  private readonly data: Set<string>;
  private readonly labels: Map<string, number>;

  /** From those of the parts before. */
  constructor(before: Columns = { labels: [], data: [] }) {
    this.data = new Set(before.data);
    this.labels = timesOf(before.labels);
  }

  add(needed: readonly NeededColumn[]): void {
    for (const { kind, name, times } of needed) {
      if (kind === 'data') this.data.add(name);
      else this.labels.set(name, Math.max(times, this.labels.get(name) ?? 0));
    }
  }

  /** Nothing is gathered behind it. */
  get areTooMany(): boolean {
    const labels = [...this.labels.values()].reduce((sum, times) => sum + times, 0);
    return this.data.size + labels > maxColumns;
  }

  /** By name, so that the same cases always make the same file. */
  sorted(): Columns {
    const keys = [...this.labels.keys()].sort();
    return {
      labels: keys.flatMap((key) => Array.from({ length: this.labels.get(key)! }, () => key)),
      data: [...this.data].sort(),
    };
  }
}

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

/** Only the names in the data are read, since the data may be large. */
const maxConcurrent = 1_000;

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
      const { ids, last } = await this.list.walk(filter, after, maxConcurrent);
      if (ids.length > 0) columns.add(await this.columnsOf(ids));
      if (columns.areTooMany) {
        throw new AppError(
          'invalid_request',
          `format: the export has more than ${maxColumns} columns; use ndjson.`,
        );
      }
      seen += ids.length;
      after = last ?? after;
      isOver = ids.length < maxConcurrent;
    }
    return { columns: columns.sorted(), after, isOver };
  }

  private columnsOf(ids: readonly string[]): Promise<NeededColumn[]> {
    return this.transactions.query<NeededColumn>(columnsOfCases, [ids, maxColumns + 1]);
  }
}

/** The columns of a CSV file beside the fields of a case. */
export interface Columns {
  /** In order; a key is there as often as a case has labels with it. */
  readonly labels: string[];
  readonly data: string[];
}

export function csvHeader({ labels, data }: Columns): string {
  return lineOf([
    ...fieldColumns,
    ...labels.map((key) => `${labelPrefix}${key}`),
    ...data.map((name) => columnOfData(name)),
  ]);
}

/** A case as a row that an import would make the same case of. */
export function csvRow(row: PublicCase, { labels, data }: Columns): string {
  const values = recordOf(row.data);
  return lineOf([
    row.title,
    priorityOf(row.rank),
    row.postponed_to?.toISOString() ?? '',
    ...labels.map((key, place) => valuesOf(row, key)[place - labels.indexOf(key)] ?? ''),
    ...data.map((name) => textOf(Object.hasOwn(values, name) ? values[name] : undefined)),
  ]);
}

/** Tells of cases whether a file with these columns has one for all that is in them. */
export function roomIn({ labels, data }: Columns): (row: PublicCase) => boolean {
  const names = new Set(data);
  const times = timesOf(labels);
  return (row) => {
    const keys = timesOf(row.labels.map(({ key }) => key));
    const areThere = Object.keys(recordOf(row.data)).every((name) => names.has(name));
    return areThere && [...keys].every(([key, count]) => count <= (times.get(key) ?? 0));
  };
}

/** How often each is there. */
export function timesOf(keys: readonly string[]): Map<string, number> {
  const times = new Map<string, number>();
  for (const key of keys) times.set(key, (times.get(key) ?? 0) + 1);
  return times;
}

/** A case with all that is known of it. */
export function ndjsonRow(row: PublicCase): string {
  return `${JSON.stringify(toCase(row))}\n`;
}

function valuesOf({ labels }: PublicCase, key: string): string[] {
  return labels.filter((label) => label.key === key).map(({ value }) => value);
}

function lineOf(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Data that has names; that of any other kind has none. */
function recordOf(data: unknown): Readonly<Record<string, unknown>> {
  const isRecord = typeof data === 'object' && data !== null && !Array.isArray(data);
  return isRecord ? (data as Record<string, unknown>) : {};
}
