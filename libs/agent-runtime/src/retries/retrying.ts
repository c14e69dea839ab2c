import { setTimeout as delay } from 'node:timers/promises';
import { retryDelayMs } from './retry-delay.js';

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
