import type { Readable } from 'node:stream';
import { hasUnstorableText, type NewCase, newCaseSchema, withoutAbsentNulls } from '@aos/contracts';

/** Longer rows are refused, so that none can fill the memory. */
export const maxRowBytes = 1024 * 1024;

export interface RowPlace {
  /** The line for people, from 1. */
  readonly line: number;
  /**
   * Larger than those of all rows before it; an import that was cut off goes on behind one. In a CSV file it is larger than
   * the line where a line break within quotes has two characters: processes of the version before know it so.
   */
  readonly position: number;
}

/** A row of a file: what it says, or why it cannot be read. */
export type FileRow = RowPlace & {
  /** How much text it holds, about. */
  readonly size: number;
} & ({ readonly value: unknown } | { readonly fault: string });

/** A row that becomes a case, or what is wrong with it. */
export type CheckedRow = RowPlace & ({ readonly wanted: NewCase } | { readonly fault: string });

/** As deep as a body may be. */
const maxLevels = 100;
const maxFaults = 5;

export function checkedRow({ line, position, ...row }: FileRow): CheckedRow {
  const found = 'fault' in row ? { fault: row.fault } : checked(row.value);
  return { line, position, ...found };
}

function checked(value: unknown): { readonly wanted: NewCase } | { readonly fault: string } {
  if (isDeeperThan(value, maxLevels)) return { fault: `nested more than ${maxLevels} deep` };
  if (hasUnstorableText(value)) return { fault: 'contains a NUL or an unpaired surrogate' };
  const { data, error } = newCaseSchema.safeParse(withoutAbsentNulls(newCaseSchema, value));
  if (data) return { wanted: data };
  const faults = error.issues.slice(0, maxFaults).map(({ path, message }) => {
    return path.length === 0 ? message : `${path.map(String).join('.')}: ${message}`;
  });
  return { fault: faults.join('; ') };
}

/** Walks without recursion: what is deep is what is looked for. */
function isDeeperThan(root: unknown, most: number): boolean {
  let level = [root];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > most) return true;
    level = level.flatMap((value) =>
      typeof value === 'object' && value !== null ? (Object.values(value) as unknown[]) : [],
    );
  }
  return false;
}

const lineBreak = 0x0a;

/** The rows of a file with one JSON object a line, as they come. A line that is too long is left out, and not kept. */
export async function* ndjsonRows(source: Readable): AsyncGenerator<FileRow> {
  let line = 1;
  let kept: Buffer[] = [];
  let size = 0;
  const take = (): FileRow | undefined => {
    const row = size > maxRowBytes ? tooLong(line) : parsed(line, Buffer.concat(kept));
    kept = [];
    size = 0;
    line += 1;
    return row;
  };
  const keep = (bytes: Buffer): void => {
    size += bytes.length;
    if (size <= maxRowBytes) kept.push(bytes);
    else kept = [];
  };
  for await (const chunk of source as AsyncIterable<Buffer>) {
    let start = 0;
    for (let end = chunk.indexOf(lineBreak); end !== -1; end = chunk.indexOf(lineBreak, start)) {
      keep(chunk.subarray(start, end));
      start = end + 1;
      const row = take();
      if (row) yield row;
    }
    keep(chunk.subarray(start));
  }
  const last = take();
  if (last) yield last;
}

function parsed(line: number, bytes: Buffer): FileRow | undefined {
  const text = bytes.toString('utf8').replace(/^\uFEFF/, '');
  if (text.trim() === '') return undefined;
  const place = { line, position: line, size: bytes.length };
  try {
    return { ...place, value: JSON.parse(text) as unknown };
  } catch {
    return { ...place, fault: 'is not JSON' };
  }
}

function tooLong(line: number): FileRow {
  return { line, position: line, size: 0, fault: `is longer than ${maxRowBytes} bytes` };
}
