import { maxColumns } from '../export/csv-columns.js';
import { columnsOf } from './csv-rows.js';

describe('the header of a CSV file', () => {
  it('says what the cells of each column are for', () => {
    const cells = [' title ', 'label:region', 'label:region', '', 'data:title', "'-note", ''];
    expect(columnsOf(cells, 1)).toEqual([
      { kind: 'field', name: 'title' },
      { kind: 'label', name: 'region' },
      { kind: 'label', name: 'region' },
      { kind: 'none', name: '' },
      { kind: 'data', name: 'title' },
      { kind: 'data', name: '-note' },
      { kind: 'none', name: '' },
    ]);
  });

  const many = (length: number) => Array.from({ length }, (_, n) => `n${n}`);

  it('names as many columns as an export has, beside those of the fields', () => {
    const fields = ['title', 'priority', 'postponed_to'];
    expect(columnsOf([...fields, ...many(maxColumns), '', ''], 1)).toHaveLength(maxColumns + 5);
  });

  it.each([
    ['without a title', ['name'], 'there is no column title'],
    ['with a column twice', ['title', 'a', 'b', 'a'], 'the column a is there twice'],
    [
      'with too many columns',
      ['title', ...many(maxColumns + 1)],
      'there are more than 500 columns for labels and data',
    ],
    [
      'with hundreds of thousands of columns',
      ['title', ...many(300_000)],
      'there are more than 500 columns for labels and data',
    ],
    [
      'with long names',
      ['title', 'a'.repeat(40_000), 'b'.repeat(40_000)],
      'the names of the columns have more than 65536 characters',
    ],
  ])('is refused %s, and where it stands is told', (_, cells, message) => {
    expect(() => columnsOf(cells, 3)).toThrow(`line 3: ${message}.`);
  });
});
