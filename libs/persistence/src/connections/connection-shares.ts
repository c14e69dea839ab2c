export interface ConnectionShares {
  /** Pipelined, for point reads. */
  readonly reads: number;
  /** Pipelined, for writes that are one statement. */
  readonly writes: number;
  /** One transaction at a time each. */
  readonly transactions: number;
}

/** One of each kind. */
export const minConnections = 3;
/** Few connections with much in flight beat many with one each: fewer wake-ups on both sides. */
const maxReads = 2;
/** More of these: each waits for the disk. */
const maxWrites = 4;

/**
 * Shares the connections of one process. Together they are never more than it may have: a third for transactions at
 * least, and what the pipelined ones cannot use as well.
 */
export function connectionShares(total: number): ConnectionShares {
  const reads = Math.max(1, Math.min(maxReads, Math.floor(total / 5)));
  const writes = Math.max(1, Math.min(maxWrites, Math.floor((total - reads) / 2)));
  return { reads, writes, transactions: Math.max(1, total - reads - writes) };
}
