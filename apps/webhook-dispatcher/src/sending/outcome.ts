import { goneStatus, succeeded, type Attempt } from './attempt.js';
import { nextAttemptAt } from './retry-schedule.js';

export interface DeliveryOutcome {
  readonly status: 'delivered' | 'pending' | 'dead';
  readonly nextAttemptAt: Date | null;
  /** The receiver wants no more. */
  readonly gone: boolean;
}

/** What an attempt means for its delivery. `number` counts from 1, since the schedule last began. */
export function outcomeOf(attempt: Attempt, number: number, scheduleMs: readonly number[]): DeliveryOutcome {
  if (succeeded(attempt)) return { status: 'delivered', nextAttemptAt: null, gone: false };
  const gone = attempt.statusCode === goneStatus;
  const { at, durationMs, retryAfterMs } = attempt;
  const endedAt = new Date(at.getTime() + durationMs);
  const next = gone ? undefined : nextAttemptAt(scheduleMs, { number, at: endedAt, retryAfterMs });
  return { status: next ? 'pending' : 'dead', nextAttemptAt: next ?? null, gone };
}
