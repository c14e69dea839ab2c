const firstDelayMs = 500;
const maxDelayMs = 15_000;
const stableAfterMs = 30_000;

/** How long to wait before the next start: none at first, then twice as long each time. */
export function restartDelayMs(failuresInARow: number): number {
  if (failuresInARow <= 0) return 0;
  return Math.min(maxDelayMs, firstDelayMs * 2 ** (failuresInARow - 1));
}

/** A program that ran for a while has shown that it can; its next failure counts as the first. */
export function failuresBefore(failuresInARow: number, upMs: number): number {
  return upMs >= stableAfterMs ? 0 : failuresInARow;
}
