import { inParts } from './answer-sizes.js';

const partsOf = (sizes: readonly number[]) => inParts(sizes, (size) => size, 10);

describe('parts that are sent together', () => {
  it.each([
    ['nothing', [], []],
    ['what fits', [4, 6], [[4, 6]]],
    ['what does not', [4, 7, 3, 1], [[4], [7, 3], [1]]],
    ['one that is too large by itself', [1, 20, 2], [[1], [20], [2]]],
    ['what has no size', [0, 0, 10, 0], [[0, 0, 10, 0]]],
  ])('hold %s', (_, sizes, parts) => {
    expect(partsOf(sizes)).toEqual(parts);
  });
});
