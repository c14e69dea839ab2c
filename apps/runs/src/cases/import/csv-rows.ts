import type { Readable } from 'node:stream';
import { AppError } from '@aos/contracts';
import { dataOfColumn, isField, labelPrefix, maxColumns, withoutGuard } from '../export/csv-columns.js';
import { csvRecords } from './csv-records.js';
import type { FileRow, RowPlace } from './imported-rows.js';

export interface Column {
  readonly kind: 'field' | 'label' | 'data' | 'none';
  /** The field, the key of the label, or the name in the data. */
  readonly name: string;
}

/** Each row has the names again in its data: a long header would make a small file large. */
const maxCharacters = 64 * 1024;

/** The columns that a header names. What rows would need of the names is found out here, once. */
export function columnsOf(cells: readonly string[], line: number): readonly Column[] {
  const names = cells.map((cell) => withoutGuard(cell.trim()));
  const fault = faultOf(names);
  if (fault !== undefined) throw new AppError('invalid_request', `line ${line}: ${fault}.`);
  return names.map(columnOf);
}

function faultOf(names: readonly string[]): string | undefined {
  if (!names.includes('title')) return 'there is no column title';
  const others = names.filter((name) => name !== '' && !isField(name));
  if (others.length > maxColumns) return `there are more than ${maxColumns} columns for labels and data`;
  if (others.reduce((sum, name) => sum + name.length, 0) > maxCharacters) {
    return `the names of the columns have more than ${maxCharacters} characters`;
  }
  const seen = new Set<string>();
  for (const name of names.filter(isUnique)) {
    if (seen.has(name)) return `the column ${name} is there twice`;
    seen.add(name);
  }
  return undefined;
}

function isUnique(name: string): boolean {
  return name !== '' && !name.startsWith(labelPrefix);
}

function columnOf(name: string): Column {
  if (name === '') return { kind: 'none', name };
  if (isField(name)) return { kind: 'field', name };
  if (name.startsWith(labelPrefix)) return { kind: 'label', name: name.slice(labelPrefix.length) };
  return { kind: 'data', name: dataOfColumn(name) };
}

/** The rows of a CSV file, as they come. The first record names the columns. */
export async function* csvRows(source: Readable): AsyncGenerator<FileRow> {
  let columns: readonly Column[] | undefined;
  for await (const record of csvRecords(source)) {
    if ('fault' in record) yield { ...record, size: 0 };
    else if (columns) yield rowOf(columns, record);
    else columns = columnsOf(record.cells, record.line);
  }
}

function rowOf(
  columns: readonly Column[],
  { cells, ...place }: RowPlace & { readonly cells: readonly string[] },
): FileRow {
  if (cells.length > columns.length) {
    return {
      ...place,
      size: 0,
      fault: `has ${cells.length} columns where the header has ${columns.length}`,
    };
  }
  const found: Record<Column['kind'], [name: string, text: string][]> = {
    field: [],
    label: [],
    data: [],
    none: [],
  };
  let size = 0;
  for (const [n, cell] of cells.entries()) {
    // An empty cell says no more than none.
    if (cell === '') continue;
    const { kind, name } = columns[n]!;
    found[kind].push([name, withoutGuard(cell)]);
    size += name.length + cell.length;
  }
  const value = {
    ...Object.fromEntries(found.field),
    labels: found.label.map(([key, text]) => ({ key, value: text })),
    data: found.data.length === 0 ? null : Object.fromEntries(found.data),
  };
  return { ...place, size, value };
}
