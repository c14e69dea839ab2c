import type { BillingPeriod } from '@aos/contracts';

/** A calendar month, UTC. */
export interface Month {
  /** Its first day, as `YYYY-MM-DD`. */
  readonly first: string;
  /** The first day of the one after. */
  readonly next: string;
}

export function monthOf(at: Date): Month {
  const year = at.getUTCFullYear();
  const month = at.getUTCMonth();
  return { first: dayText(Date.UTC(year, month, 1)), next: dayText(Date.UTC(year, month + 1, 1)) };
}

export function periodOf({ first, next }: Month): BillingPeriod {
  return { start: `${first}T00:00:00.000Z`, end: `${next}T00:00:00.000Z` };
}

function dayText(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
