import { nextOccurrence, type Recurrence } from './next-occurrence.js';

const shown = 5;

interface Scheduled extends Recurrence {
  readonly recurring: boolean;
  /** Null while it is disabled. */
  readonly next_run_at: Date | null;
}

/** When a schedule fires next, as far as people look ahead: one that fires once has one moment. */
export function upcomingOccurrences(schedule: Scheduled): Date[] {
  const moments: Date[] = [];
  let next = schedule.next_run_at ?? undefined;
  while (next && moments.length < shown) {
    moments.push(next);
    next = schedule.recurring ? nextOccurrence(schedule, next) : undefined;
  }
  return moments;
}
