/** When a token is to be replaced, and when it ends. */
export interface TokenTimes {
  readonly obtainedAt: Date;
  readonly staleAt: Date | null;
  readonly expiresAt: Date | null;
  /** When something is to be done about it; null where nothing can be foreseen. */
  readonly refreshAt: Date | null;
}

const longestMarginMs = 5 * 60_000;
/** Of its life; what is left is for providers that are away for a while. */
const marginShare = 0.2;
/** Ten years. A provider may say any number, and not each of them added to today is a date. */
const longestLifeMs = 10 * 365 * 86_400_000;
/** A provider whose tokens end at once would be asked without a pause. Who uses such a token refreshes it then. */
const shortestRestMs = 60_000;

/** A token without an end is used until it is refused. One that cannot be refreshed is looked at when it ends. */
export function tokenTimes(
  expiresInSeconds: number | undefined,
  canRefresh: boolean,
  obtainedAt = new Date(),
): TokenTimes {
  if (expiresInSeconds === undefined) return { obtainedAt, staleAt: null, expiresAt: null, refreshAt: null };
  const lifeMs = Math.min(longestLifeMs, expiresInSeconds * 1_000);
  const expiresAt = new Date(obtainedAt.getTime() + lifeMs);
  const staleAt = new Date(expiresAt.getTime() - Math.min(longestMarginMs, lifeMs * marginShare));
  const replacedAt = canRefresh ? staleAt : expiresAt;
  const refreshAt = new Date(Math.max(replacedAt.getTime(), obtainedAt.getTime() + shortestRestMs));
  return { obtainedAt, staleAt: replacedAt, expiresAt, refreshAt };
}

const firstPauseMs = 2_000;
const longestPauseMs = 10 * 60_000;

/** How long to wait after so many tries without an answer. */
export function refreshPauseMs(failures: number): number {
  return Math.min(longestPauseMs, firstPauseMs * 2 ** Math.min(failures - 1, 20));
}

/** How long it is at least since the first of so many tries in vain: the pause after each of them is over. */
export function triedForMs(failures: number): number {
  const pauses = Array.from({ length: failures }, (_, index) => refreshPauseMs(index + 1));
  return pauses.reduce((sum, pause) => sum + pause, 0);
}
