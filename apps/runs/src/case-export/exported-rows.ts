import { toCase, type PublicCase } from '../case-core/case.mapper.js';
import { priorityOf } from '../case-core/case-rank.js';
import { csvCell } from './csv-cells.js';

/** The columns of a CSV file beside the fields of a case. */
export interface Columns {
  readonly labels: string[];
  readonly data: string[];
}

const fields = ['title', 'priority', 'postponed_to'] as const;

export function csvHeader({ labels, data }: Columns): string {
  return lineOf([...fields, ...labels.map((key) => `label:${key}`), ...data]);
}

/** A case as a row that an import would make the same case of. */
export function csvRow(row: PublicCase, { labels, data }: Columns): string {
  const values = isRecord(row.data) ? row.data : {};
  return lineOf([
    row.title,
    priorityOf(row.rank),
    row.postponed_to?.toISOString() ?? '',
    ...labels.map((key) => row.labels.find((label) => label.key === key)?.value ?? ''),
    ...data.map((name) => textOf(Object.hasOwn(values, name) ? values[name] : undefined)),
  ]);
}

/** A case with all that is known of it. */
export function ndjsonRow(row: PublicCase): string {
  return `${JSON.stringify(toCase(row))}\n`;
}

function lineOf(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
