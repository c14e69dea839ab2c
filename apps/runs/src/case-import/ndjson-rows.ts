import type { Readable } from 'node:stream';
import { mostBytesOfRow, type FileRow } from './imported-row.js';

const lineBreak = 0x0a;

/** The rows of a file with one JSON object a line, as they come. A line that is too long is left out, and not kept. */
export async function* ndjsonRows(source: Readable): AsyncGenerator<FileRow> {
  let line = 1;
  let kept: Buffer[] = [];
  let size = 0;
  const take = (): FileRow | undefined => {
    const row = size > mostBytesOfRow ? tooLong(line) : parsed(line, Buffer.concat(kept));
    kept = [];
    size = 0;
    line += 1;
    return row;
  };
  const keep = (bytes: Buffer): void => {
    size += bytes.length;
    if (size <= mostBytesOfRow) kept.push(bytes);
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
  return { line, position: line, size: 0, fault: `is longer than ${mostBytesOfRow} bytes` };
}
