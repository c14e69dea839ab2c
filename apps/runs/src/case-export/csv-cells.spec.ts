import { csvCell, withoutGuard } from './csv-cells.js';

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
    ['\t=1', `'\t=1`],
  ])('%j is written %j', (text, cell) => {
    expect(csvCell(text)).toBe(cell);
  });

  it.each(['=1+1', '@x', '-a', "'quoted", 'plain', "it's"])('%j comes back as it was', (text) => {
    const written = csvCell(text);
    expect(withoutGuard(written)).toBe(text);
  });
});
