import { goneStatus, succeeded, type Attempt } from './attempt.js';
import { retryWaitMs } from './retry-schedule.js';

export interface DeliveryOutcome {
  readonly status: 'delivered' | 'pending' | 'dead';
  /** From the end of the attempt to the next one; null if there is none. */
  readonly retryAfterMs: number | null;
  /** The receiver wants no more. */
  readonly gone: boolean;
}

/** Decides the next state of a delivery. `number` counts attempts from 1 since the schedule last began. */
export function outcomeOf(attempt: Attempt, number: number, scheduleMs: readonly number[]): DeliveryOutcome {
  if (succeeded(attempt)) return { status: 'delivered', retryAfterMs: null, gone: false };
  const gone = attempt.statusCode === goneStatus;
  const { retryAfterMs } = attempt;
  const waitMs = gone ? undefined : retryWaitMs(scheduleMs, { number, retryAfterMs });
  return { status: waitMs === undefined ? 'dead' : 'pending', retryAfterMs: waitMs ?? null, gone };
}
