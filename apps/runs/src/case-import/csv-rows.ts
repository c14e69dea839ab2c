import type { Readable } from 'node:stream';
import { AppError } from '@aos/contracts';
import { CsvError, parse, type Info } from 'csv-parse';
import type { FileRow } from './imported-row.js';
import { withoutGuard } from '../case-export/csv-cells.js';
import { dataOfColumn, isField, labelPrefix } from '../case-export/csv-columns.js';

interface ParsedRecord {
  readonly record: readonly string[];
  readonly info: Info;
}

/** Longer rows are refused, so that none can fill the memory. */
const mostBytesOfRow = 1024 * 1024;

/** The rows of a CSV file (RFC 4180, UTF-8), as they come. The first line names the columns. */
export async function* csvRows(source: Readable): AsyncGenerator<FileRow> {
  const parser = source.pipe(
    parse({
      bom: true,
      info: true,
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      max_record_size: mostBytesOfRow,
    }),
  );
  source.on('error', (error) => parser.destroy(error));
  let columns: readonly string[] | undefined;
  try {
    for await (const { record, info } of parser as AsyncIterable<ParsedRecord>) {
      const line = info.lines - linesWithin(record);
      if (columns) yield rowOf(columns, record, line);
      else columns = headerOf(record);
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    yield { line: Number(error['lines'] ?? 0), fault: `${error.message}; what follows was not read` };
  } finally {
    source.destroy();
  }
}

function headerOf(record: readonly string[]): readonly string[] {
  const columns = record.map((name) => withoutGuard(name.trim()));
  if (!columns.includes('title')) throw badHeader('there is no column title');
  const twice = columns.find((name, place) => isUnique(name) && columns.indexOf(name) !== place);
  if (twice !== undefined) throw badHeader(`the column ${twice} is there twice`);
  return columns;
}

function isUnique(column: string): boolean {
  return column !== '' && !column.startsWith(labelPrefix);
}

function rowOf(columns: readonly string[], record: readonly string[], line: number): FileRow {
  if (record.length > columns.length) {
    return { line, fault: `has ${record.length} columns where the header has ${columns.length}` };
  }
  // An empty cell says no more than none.
  const cells = columns.flatMap((name, place): [string, string][] => {
    const cell = record[place] ?? '';
    return name === '' || cell === '' ? [] : [[name, withoutGuard(cell)]];
  });
  const data = cells
    .filter(([name]) => !isField(name) && !name.startsWith(labelPrefix))
    .map(([name, value]) => [dataOfColumn(name), value] as const);
  const labels = cells
    .filter(([name]) => name.startsWith(labelPrefix))
    .map(([name, value]) => ({ key: name.slice(labelPrefix.length), value }));
  const value = {
    ...Object.fromEntries(cells.filter(([name]) => isField(name))),
    labels,
    data: data.length === 0 ? null : Object.fromEntries(data),
  };
  return { line, value };
}

function linesWithin(record: readonly string[]): number {
  return record.reduce((sum, cell) => sum + (cell.match(/\r\n|\n|\r/g)?.length ?? 0), 0);
}

function badHeader(what: string): AppError {
  return new AppError('invalid_request', `line 1: ${what}.`);
}
