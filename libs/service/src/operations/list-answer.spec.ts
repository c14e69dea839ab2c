import { listAnswer } from './list-answer.js';

describe('listAnswer', () => {
  it('names the items and keeps the numbers', () => {
    const page = { items: [1, 2], total: 7, limit: 2, offset: 4 };
    expect(listAnswer('things', page, (n) => ({ n }))).toEqual({
      things: [{ n: 1 }, { n: 2 }],
      total: 7,
      limit: 2,
      offset: 4,
    });
  });
});
