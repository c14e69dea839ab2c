/** Exponential from the first delay up to the largest; the attempt that failed is counted from 1. */
export function jobBackoffMs(backoff: { firstMs: number; maxMs: number }, failedAttempt: number): number {
  return Math.min(backoff.firstMs * 2 ** Math.min(failedAttempt - 1, 30), backoff.maxMs);
}
