export interface FailedAttempt {
  /** 1 for the first of the schedule. */
  readonly number: number;
  /** The Retry-After of the receiver. */
  readonly retryAfterMs?: number;
}

const jitterShare = 0.1;
const maxRetryAfterMs = 3_600_000;

/**
 * The wait from the end of an attempt that failed to the next; undefined when that was the last one. `scheduleMs` has the
 * wait before each attempt, the first included. A receiver that asks for more time gets it, up to an hour.
 */
export function retryWaitMs(
  scheduleMs: readonly number[],
  { number, retryAfterMs = 0 }: FailedAttempt,
  random: () => number = Math.random,
): number | undefined {
  const waitMs = scheduleMs[number];
  if (waitMs === undefined) return undefined;
  const jittered = waitMs * (1 - jitterShare + 2 * jitterShare * random());
  return Math.round(Math.max(jittered, Math.min(retryAfterMs, maxRetryAfterMs)));
}

/** `Retry-After` in milliseconds from now: seconds or a date; undefined if it is neither. */
export function parseRetryAfter(text: string | null, now: Date): number | undefined {
  const trimmed = text?.trim() ?? '';
  if (/^\d{1,9}$/.test(trimmed)) return Number(trimmed) * 1_000;
  // Dates of HTTP name the day; anything else that Date.parse may take is not one.
  if (!/^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)/.test(trimmed)) return undefined;
  // That of C names no zone, and means this one.
  const at = Date.parse(trimmed.endsWith('GMT') ? trimmed : `${trimmed} GMT`);
  return Number.isNaN(at) ? undefined : Math.max(0, at - now.getTime());
}
