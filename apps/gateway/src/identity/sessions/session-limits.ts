/** A session that nobody uses ends after 12 hours, any other after 7 days. */
export const idleSeconds = 12 * 3600;
export const absoluteSeconds = 7 * 24 * 3600;

/** How exactly the last use is known. */
export const usedEverySeconds = 300;

/** Per API key; one more ends the oldest. */
export const sessionsPerKey = 100;
