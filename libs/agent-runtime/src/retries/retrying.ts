import { setTimeout as delay } from 'node:timers/promises';

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

export interface RetryOptions {
  readonly tries: number;
  /** Waits between tries; ends early when the signal aborts. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
}

export interface Retried extends Partial<RetryOptions> {
  readonly isTransient: (error: unknown) => boolean;
  /** How long the other side asked to be left alone. */
  readonly retryAfterMs?: (error: unknown) => number | undefined;
  readonly signal: AbortSignal;
}

const defaultTries = 5;

/**
 * Does something again after a transient failure: at most five times, exponentially, at most a minute apart. The
 * work is told which attempt it is, from 1; the last error is thrown as it is.
 */
export async function retrying<T>(work: (attempt: number) => Promise<T>, options: Retried): Promise<T> {
  const { isTransient, retryAfterMs, signal, tries = defaultTries, wait = defaultWait } = options;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work(attempt);
    } catch (error) {
      if (!isTransient(error) || attempt >= tries || signal.aborted) throw error;
      await wait(retryDelayMs(attempt, retryAfterMs?.(error)), signal);
    }
  }
}

async function defaultWait(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal });
}
