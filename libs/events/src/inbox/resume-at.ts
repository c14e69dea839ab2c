import type { LogEpoch } from '@aos/contracts';

/**
 * Finds the position from which a consumer follows a log of another epoch. Up to the end of the last epoch that both know
 * they have the same history; events that the consumer handled beyond it are gone from the log, and others have their
 * positions now.
 *
 * @param known the epochs that the log had when the consumer last looked; none: it comes from a version before them.
 * @param epochs what the log has now, oldest first. The oldest may be forgotten: if none is in common, the history
 *   that both share ends before the first of them at the latest.
 */
export function resumeAt(position: number, known: ReadonlySet<string>, epochs: readonly LogEpoch[]): number {
  if (known.size === 0) return position;
  const lastCommon = epochs.findLastIndex(({ epoch }) => known.has(epoch));
  const next = epochs[lastCommon + 1];
  return next ? Math.min(position, next.after) : position;
}
