import { toCase, type PublicCase } from '../case.mapper.js';
import { priorityOf } from '../case-rank.js';
import { csvCell } from './csv-cells.js';
import { columnOfData, fieldColumns, labelPrefix } from './csv-columns.js';

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
