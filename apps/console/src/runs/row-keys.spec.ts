import { rowAfter, withRow } from './row-keys';

describe('rowAfter', () => {
  it.each([
    ['ArrowDown', 5, 6],
    ['ArrowUp', 5, 4],
    ['PageDown', 5, 15],
    ['PageUp', 50, 40],
    ['Home', 50, 0],
    ['End', 50, 99],
  ])('%s leads from row %i to row %i', (key, row, next) => {
    expect(rowAfter(key, row, 100, 10)).toBe(next);
  });

  it('stays in the list', () => {
    expect(rowAfter('ArrowUp', 0, 100, 10)).toBe(0);
    expect(rowAfter('ArrowDown', 99, 100, 10)).toBe(99);
    expect(rowAfter('PageDown', 95, 100, 10)).toBe(99);
    expect(rowAfter('PageUp', 3, 100, 10)).toBe(0);
    // A window that is lower than a row.
    expect(rowAfter('PageDown', 3, 100, 0)).toBe(4);
  });

  it('leaves other keys to the browser', () => {
    for (const key of ['Enter', 'Tab', ' ', 'a', 'toString'])
      expect(rowAfter(key, 5, 100, 10)).toBeUndefined();
  });
});

describe('withRow', () => {
  it('keeps a row in its order, once', () => {
    expect(withRow([10, 11, 12], 3, 100)).toEqual([3, 10, 11, 12]);
    expect(withRow([10, 11, 12], 50, 100)).toEqual([10, 11, 12, 50]);
    expect(withRow([10, 11, 12], 11, 100)).toEqual([10, 11, 12]);
  });

  it('keeps none that is not there any more', () => {
    expect(withRow([0, 1], 50, 2)).toEqual([0, 1]);
    expect(withRow([0, 1], undefined, 2)).toEqual([0, 1]);
  });
});
