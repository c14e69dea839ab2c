import { Readable } from 'node:stream';
import { maxImportBytes } from '@aos/contracts';
import { csvRows } from '../../src/cases/import/csv-rows.js';
import type { FileRow } from '../../src/cases/import/imported-rows.js';

describe('the rows of a long CSV file', () => {
  it('may have 100 chunks of empty lines between them', async () => {
    const chunk = Buffer.alloc(64 * 1024, '\n');
    const chunks = [Buffer.from('title\n'), ...Array<Buffer>(100).fill(chunk), Buffer.from('last\n')];
    const rows: FileRow[] = [];
    for await (const row of csvRows(Readable.from(chunks))) rows.push(row);
    expect(rows).toMatchObject([{ line: 100 * chunk.length + 2, value: { title: 'last' } }]);
  });
});

describe('the rows of a CSV file that are too long', () => {
  it('are refused also if they are made of nothing but commas, and no more of them is read', async () => {
    let read = 0;
    const source = async function* () {
      yield Buffer.from('title,b\ngood,1\n');
      for (const chunk = Buffer.alloc(64 * 1024, ','); read < maxImportBytes; read += chunk.length)
        yield chunk;
    };
    const rows: FileRow[] = [];
    for await (const row of csvRows(Readable.from(source()))) rows.push(row);
    expect(rows).toMatchObject([
      { line: 2, value: { title: 'good' } },
      { line: 3, fault: 'is longer than 1048576 bytes; what follows was not read' },
    ]);
    expect(read).toBeLessThan(maxImportBytes / 4);
  });
});
