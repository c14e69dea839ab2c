import { maxImportRows } from '@aos/contracts';
import { type ImportState, nothingImported, roomInBatch, weighed } from './import-state.js';
import type { CheckedRow } from './imported-rows.js';

const good = (line: number) => ({ line, position: line, wanted: { title: `row ${line}` } }) as CheckedRow;
const bad = (line: number) => ({ line, position: line, fault: 'title: is missing' }) as CheckedRow;

describe('how far an import is', () => {
  it('counts rows, and names those that are wrong', () => {
    const { wanted, after } = weighed([good(2), bad(3), good(5)], nothingImported);
    expect(wanted.map(({ title }) => title)).toEqual(['row 2', 'row 5']);
    expect(after).toEqual({
      line: 5,
      rows: 3,
      accepted: 2,
      rejected: 1,
      errors: [{ line: 3, message: 'title: is missing' }],
    });
  });

  it('goes on from where it was', () => {
    const half: ImportState = { line: 501, rows: 500, accepted: 499, rejected: 1, errors: [] };
    expect(weighed([good(502)], half).after).toMatchObject({
      line: 502,
      rows: 501,
      accepted: 500,
      rejected: 1,
    });
  });

  it('goes on behind the position of a row, and names its line', () => {
    const { after } = weighed([{ line: 5, position: 7, fault: 'title: is missing' }], nothingImported);
    expect(after).toMatchObject({ line: 7, errors: [{ line: 5 }] });
  });

  it('takes the last row that it may, names the one behind it, and looks at no other', () => {
    const full: ImportState = { ...nothingImported, rows: maxImportRows - 1, accepted: maxImportRows - 1 };
    expect(roomInBatch(full)).toBe(2);
    const { wanted, after } = weighed([good(7), good(8)], full);
    expect(wanted.map(({ title }) => title)).toEqual(['row 7']);
    expect(after).toMatchObject({
      accepted: maxImportRows,
      rejected: 1,
      errors: [{ line: 8, message: 'more than 100000 rows in one import; what follows was not read' }],
    });
    expect(roomInBatch(after)).toBe(0);
  });

  it.each([
    [0, 500],
    [maxImportRows - 500, 500],
    [maxImportRows - 499, 500],
    [maxImportRows, 1],
    [maxImportRows + 501, 0],
  ])('after %i rows a batch may have %i', (rows, room) => {
    expect(roomInBatch({ ...nothingImported, rows })).toBe(room);
  });

  it('names the first hundred only', () => {
    const { after } = weighed(
      Array.from({ length: 150 }, (_, n) => bad(n + 2)),
      nothingImported,
    );
    expect([after.rejected, after.errors.length, after.errors.at(-1)!.line]).toEqual([150, 100, 101]);
  });
});
