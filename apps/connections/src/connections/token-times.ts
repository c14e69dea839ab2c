/** How long after it was obtained a token is to be replaced, and ends; null where nothing can be foreseen. */
export interface TokenTimes {
  readonly staleMs: number | null;
  readonly expiresMs: number | null;
  /** When something is to be done about it. */
  readonly refreshMs: number | null;
}

const maxMarginMs = 5 * 60_000;
/** The share of the lifetime after which a token is refreshed; the rest bridges outages of the provider. */
const marginShare = 0.2;
/** Ten years. A provider may say any number, and not each of them added to today is a date. */
const maxLifeMs = 10 * 365 * 86_400_000;
/** A provider whose tokens end at once would be asked without a pause. Who uses such a token refreshes it then. */
const shortestRestMs = 60_000;

/** A token without an end is used until it is refused. One that cannot be refreshed is looked at when it ends. */
export function tokenTimes(expiresInSeconds: number | undefined, canRefresh: boolean): TokenTimes {
  if (expiresInSeconds === undefined) return { staleMs: null, expiresMs: null, refreshMs: null };
  const expiresMs = Math.min(maxLifeMs, expiresInSeconds * 1_000);
  const marginMs = canRefresh ? Math.min(maxMarginMs, expiresMs * marginShare) : 0;
  const staleMs = expiresMs - marginMs;
  return { staleMs, expiresMs, refreshMs: Math.max(staleMs, shortestRestMs) };
}

const firstPauseMs = 2_000;
const maxPauseMs = 10 * 60_000;

/** How long to wait after so many tries without an answer. */
export function refreshPauseMs(failures: number): number {
  return Math.min(maxPauseMs, firstPauseMs * 2 ** Math.min(failures - 1, 20));
}

/** How long it is at least since the first of so many tries in vain: the pause after each of them is over. */
export function triedForMs(failures: number): number {
  const pauses = Array.from({ length: failures }, (_, index) => refreshPauseMs(index + 1));
  return pauses.reduce((sum, pause) => sum + pause, 0);
}
