/** Cases that are not settled, by what they wait for. */
export interface UnsettledCounts {
  readonly all: number;
  /** For an agent to take them. */
  readonly waiting: number;
  readonly in_progress: number;
  readonly needs_input: number;
  readonly postponed: number;
}

/** The service counts all that are not settled as pending; the others are told apart by their own counts. */
export function splitUnsettled(
  all: number,
  parts: Omit<UnsettledCounts, 'all' | 'waiting'>,
): UnsettledCounts {
  const { in_progress: atWork, needs_input: asking, postponed } = parts;
  // Counted one after the other: a case may have moved meanwhile.
  return { all, waiting: Math.max(0, all - atWork - asking - postponed), ...parts };
}
