const firstMs = 500;
export const maxRetryDelayMs = 60_000;

/** How long to wait after a failed attempt (counted from 1): exponential, or what the provider asked for. */
export function retryDelayMs(failedAttempt: number, retryAfterMs?: number): number {
  const own = firstMs * 2 ** Math.min(failedAttempt - 1, 20);
  return Math.min(Math.max(own, retryAfterMs ?? 0), maxRetryDelayMs);
}

/** The value of a Retry-After header, in seconds or as a date. */
export function parseRetryAfterMs(header: string | undefined, now = Date.now()): number | undefined {
  if (header === undefined) return undefined;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header) * 1000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
