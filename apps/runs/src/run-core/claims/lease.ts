/** The run has been stopped, or another worker has it: nothing that this one still does may count. */
export class RunLost extends Error {
  override readonly name = 'RunLost';

  constructor(runId: string) {
    super(`The run ${runId} is in other hands or has ended`);
  }
}

/** From here on a run that loses its workers without a step in between is tried apart from the others. */
export const suspectAfter = 3;
/** And here it is given up. */
export const maxTakeovers = 10;

const firstDelayMs = 5_000;
const maxDelayMs = 10 * 60_000;

/** How long a run waits after it has lost so many workers: not at all at first, then twice as long each time. */
export function takeoverDelayMs(takeovers: number): number {
  if (takeovers < suspectAfter) return 0;
  return Math.min(firstDelayMs * 2 ** (takeovers - suspectAfter), maxDelayMs);
}
