import { connectionShares, minConnections } from './connection-shares.js';

describe('the connections of a process', () => {
  it('are never more than it may have, and there is one of each kind', () => {
    for (let total = minConnections; total <= 200; total += 1) {
      const { reads, writes, transactions } = connectionShares(total);
      expect(reads + writes + transactions).toBe(total);
      expect(Math.min(reads, writes, transactions)).toBeGreaterThanOrEqual(1);
    }
  });

  it.each([
    [3, { reads: 1, writes: 1, transactions: 1 }],
    [5, { reads: 1, writes: 2, transactions: 2 }],
    [10, { reads: 2, writes: 4, transactions: 4 }],
    [40, { reads: 2, writes: 4, transactions: 34 }],
  ])('of %d are shared', (total, shares) => {
    expect(connectionShares(total)).toEqual(shares);
  });
});
