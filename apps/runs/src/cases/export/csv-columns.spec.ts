import { columnOfData, dataOfColumn } from './csv-columns.js';

describe('the column of a part of the data', () => {
  it.each([
    ['note', 'note'],
    ['data:note', 'data:note'],
    ['priority', 'data:priority'],
    ['label:region', 'data:label:region'],
    ['data:title', 'data:data:title'],
  ])('of %s is %s, and is read as the same', (name, column) => {
    expect(columnOfData(name)).toBe(column);
    expect(dataOfColumn(column)).toBe(name);
  });

  it('is found however long a name is', () => {
    const name = 'data:'.repeat(100_000);
    expect(dataOfColumn(columnOfData(`${name}title`))).toBe(`${name}title`);
    expect(columnOfData(name)).toBe(name);
  });
});
