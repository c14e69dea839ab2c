import { ApiError, ConnectionError } from './errors.js';

const firstDelayMs = 250;
const maxDelayMs = 8_000;
/** Who is told to come back later than that would rather know. */
const maxWaitSeconds = 60;

/** How long to wait before the next attempt; undefined if the same request would fail again. */
export function retryDelayMs(
  error: unknown,
  attempt: number,
  random: () => number = Math.random,
): number | undefined {
  if (error instanceof ConnectionError) return backoffMs(attempt, random);
  if (!(error instanceof ApiError) || !isPassing(error)) return undefined;
  const { retryAfterSeconds } = error;
  if (retryAfterSeconds === null) return backoffMs(attempt, random);
  if (retryAfterSeconds > maxWaitSeconds) return undefined;
  // Those who were told the same second do not all come back in it.
  return retryAfterSeconds * 1000 + random() * firstDelayMs;
}

/** Between half and all of a delay that doubles. */
export function backoffMs(attempt: number, random: () => number = Math.random): number {
  return Math.min(firstDelayMs * 2 ** attempt, maxDelayMs) * (0.5 + random() / 2);
}

function isPassing({ status, code }: ApiError): boolean {
  return status === 429 || status >= 500 || code === 'idempotency_in_progress';
}

export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal!.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    if (signal?.aborted) stop();
    else signal?.addEventListener('abort', stop, { once: true });
  });
}
