import type { Readable } from 'node:stream';
import { withoutGuard } from '../export/csv-cells.js';
import { columnsOf, type Column } from './csv-header.js';
import { csvRecords } from './csv-records.js';
import type { FileRow, RowPlace } from './imported-row.js';

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
