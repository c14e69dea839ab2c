import type { Readable } from 'node:stream';
import { CsvError, type Info, parse, type Parser } from 'csv-parse';
import { maxRowBytes, type RowPlace } from './imported-rows.js';

/** A record, or the fault that makes it and the rest of the file unreadable. */
export type CsvRecord =
  | (RowPlace & { readonly cells: readonly string[] })
  | (RowPlace & { readonly fault: string });

interface ParsedRecord {
  readonly cells: readonly string[];
  readonly info: Info;
}

/**
 * The parser counts what stands in the cells, and none of what stands between them: a record of nothing but commas is
 * limited by the bytes that come without an end of it. So many are too many for what may stand in the cells, in any script.
 */
const maxBytesWithoutEnd = 4 * maxRowBytes;

/** The records of a CSV file (RFC 4180, UTF-8), as they come. Empty lines are left out. */
export async function* csvRecords(source: Readable): AsyncGenerator<CsvRecord> {
  const found: ParsedRecord[] = [];
  const parser = parse({
    bom: true,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    max_record_size: maxRowBytes,
    // Not read from the stream, which forgets the records before a fault.
    on_record: (cells: string[], info) => {
      found.push({ cells, info });
      return undefined;
    },
  });
  // It is told to whoever feeds it.
  parser.on('error', () => undefined);
  const lines = new LineCount();
  let bytesWithoutEnd = 0;
  for await (const chunk of withEnd(source)) {
    const ends = endsSeen(parser);
    const fault = await fed(parser, chunk);
    for (const record of found.splice(0)) yield { ...lines.placeOf(record), cells: record.cells };
    bytesWithoutEnd = ends === endsSeen(parser) ? bytesWithoutEnd + (chunk?.length ?? 0) : 0;
    const reason = bytesWithoutEnd > maxBytesWithoutEnd ? tooLong : fault && reasonOf(fault);
    if (reason === undefined) continue;
    const { lines: position, empty_lines: emptyLines } = parser.info;
    yield { line: lines.next(emptyLines), position, fault: `${reason}; what follows was not read` };
    return;
  }
}

/** In which line a record begins. The parser's own count takes a line break of two characters within quotes for two. */
class LineCount {
  private following = 1;
  private emptyLines = 0;

  /** The line of the record behind those that were placed. */
  next(emptyLines: number): number {
    return this.following + emptyLines - this.emptyLines;
  }

  placeOf({ cells, info }: ParsedRecord): RowPlace {
    const line = this.next(info.empty_lines);
    const within = linesWithin(cells);
    // Among lines that end with LF, one that ends with CR LF leaves the CR in its last cell.
    this.following = line + within + (cells.at(-1)!.endsWith('\r') ? 0 : 1);
    this.emptyLines = info.empty_lines;
    return { line, position: info.lines - within };
  }
}

function linesWithin(cells: readonly string[]): number {
  return cells.reduce((sum, cell) => sum + (cell.match(/\r\n|\n|\r/g)?.length ?? 0), 0);
}

function endsSeen({ info }: Parser): number {
  return info.records + info.empty_lines;
}

async function* withEnd(source: Readable): AsyncGenerator<Buffer | undefined> {
  yield* source as AsyncIterable<Buffer>;
  yield undefined;
}

/** Gives a chunk to the parser, or the end. */
function fed(parser: Parser, chunk: Buffer | undefined): Promise<CsvError | undefined> {
  return new Promise((resolve, reject) => {
    const done = (error?: Error | null): void => {
      if (!error || error instanceof CsvError) resolve(error ?? undefined);
      else reject(error);
    };
    if (chunk) parser.write(chunk, done);
    else parser.end(done);
  });
}

const tooLong = `is longer than ${maxRowBytes} bytes`;

/** Without the line that the parser names. */
function reasonOf({ code, message }: CsvError): string {
  if (code === 'CSV_MAX_RECORD_SIZE') return tooLong;
  return code === 'CSV_QUOTE_NOT_CLOSED' ? 'has a quote that is not closed' : message;
}
