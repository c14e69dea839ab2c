import fc from 'fast-check';
import { csvCell, withoutGuard } from './csv-columns.js';

describe('a cell of a CSV file', () => {
  it.each([
    ['plain', 'plain'],
    ['', ''],
    ['a,b', '"a,b"'],
    ['say "hi"', '"say ""hi"""'],
    ['two\nlines', '"two\nlines"'],
    ['=HYPERLINK("http://evil")', `"'=HYPERLINK(""http://evil"")"`],
    ['@SUM(1)', `'@SUM(1)`],
    ['+1-2', `'+1-2`],
    ['-1', '-1'],
    ['+49', '+49'],
    ['-12,5', '"-12,5"'],
    ['\t=1', `"\t'=1"`],
    ['x;=1+1', `"x;'=1+1"`],
    ['x\t@SUM(1)', `"x\t'@SUM(1)"`],
    ['x\n=1', `"x\n'=1"`],
    ['x;-1;+2', '"x;-1;+2"'],
    [`'=1`, `''=1`],
  ])('%j is written %j', (text, cell) => {
    expect(csvCell(text)).toBe(cell);
  });

  it.each(['=1+1', '@x', '-a', "'quoted", 'plain', "it's"])('%j comes back as it was', (text) => {
    const written = csvCell(text);
    expect(withoutGuard(written)).toBe(text);
  });

  it('comes back as it was, whatever it is, and has no formula in any kind of spreadsheet', () => {
    const text = fc.string({ unit: fc.constantFrom(...`='+-@;\t\r\n",x1`) });
    const unquoted = (cell: string) =>
      cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell;
    fc.assert(
      fc.property(text, (original) => {
        const cell = unquoted(csvCell(original));
        expect(withoutGuard(cell)).toBe(original);
        for (const part of cell.split(/[;\t\r\n]/)) {
          const isNumber = /^[+-]?\d+([.,]\d+)*$/.test(part);
          expect(isNumber || !/^[=+\-@]/.test(part)).toBe(true);
        }
      }),
    );
  });
});
