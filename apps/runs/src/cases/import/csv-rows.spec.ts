import { Readable } from 'node:stream';
import { csvRows } from './csv-rows.js';
import type { FileRow } from './imported-rows.js';

async function rowsOf(...chunks: readonly string[]): Promise<FileRow[]> {
  const rows: FileRow[] = [];
  for await (const row of csvRows(Readable.from(chunks.map((text) => Buffer.from(text))))) rows.push(row);
  return rows;
}

const titled = (rows: readonly FileRow[]) =>
  rows.map((row) => [row.line, 'value' in row ? (row.value as { title: string }).title : row.fault]);

describe('the rows of a CSV file', () => {
  it.each([
    ['of two characters', '\r\n'],
    ['of one', '\n'],
  ])('stand in the line in which they begin, also behind line breaks %s within quotes', async (_, end) => {
    const text = ['title,b', '', 'x,"a', 'b', '', 'c"', '', '"y', 'z",1', 'last,2', ''].join(end);
    const rows = titled(await rowsOf(text));
    expect(rows).toEqual([
      [3, 'x'],
      [8, `y${end}z`],
      [10, 'last'],
    ]);
    expect(titled(await rowsOf(...text))).toEqual(rows);
  });

  it('stand in their line among others that end differently', async () => {
    const text = 'title,b\nx,"a\r\nb\r\nc"\ny,1\r\nz,2\n"q\rr",3\nlast,4';
    expect(titled(await rowsOf(text))).toEqual([
      [2, 'x'],
      [5, 'y'],
      [6, 'z'],
      [7, 'q\rr'],
      [9, 'last'],
    ]);
  });

  it('have positions as the version before counted lines, so that either goes on behind a row of the other', async () => {
    const rows = await rowsOf('title,b\nx,"a\r\nb\r\nc"\ny,1\nz,"1\n2"\nlast,4\n');
    expect(rows.map(({ position }) => position)).toEqual([4, 7, 8, 10]);
  });

  it('are read up to one that cannot be, which is named by the line in which it begins', async () => {
    const unclosed = await rowsOf('title\r\ngood\r\n"a\r\nb"\r\n\r\n"not\r\nclosed');
    expect(titled(unclosed)).toEqual([
      [2, 'good'],
      [3, 'a\r\nb'],
      [6, 'has a quote that is not closed; what follows was not read'],
    ]);
    const long = await rowsOf(`title,b\ngood,1\n"a\nb",${'x'.repeat(1024 * 1024)}\nnext,1\n`);
    expect(titled(long)).toEqual([
      [2, 'good'],
      [3, 'is longer than 1048576 bytes; what follows was not read'],
    ]);
  });

  it('may have empty lines between them, however many', async () => {
    const chunk = '\n'.repeat(64 * 1024);
    const chunks = Array.from({ length: 10 }, () => chunk);
    expect(titled(await rowsOf('title\n', ...chunks, 'last\n'))).toEqual([[655_362, 'last']]);
  });

  it('are as large as what they say with the names of its columns', async () => {
    const [full, empty] = await rowsOf('title,priority,label:key,note,\nAda,,north,text,ignored\nBob\n');
    expect(full).toEqual({
      line: 2,
      position: 2,
      size: 'titleAdakeynorthnotetext'.length + 'ignored'.length,
      value: { title: 'Ada', labels: [{ key: 'key', value: 'north' }], data: { note: 'text' } },
    });
    expect(empty).toMatchObject({ size: 'titleBob'.length, value: { title: 'Bob', labels: [], data: null } });
  });
});
