import type { ArtifactRefreshFrequency } from '@aos/contracts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const fixedMs = {
  every_15_minutes: 15 * minuteMs,
  every_30_minutes: 30 * minuteMs,
  hourly: hourMs,
  every_6_hours: 6 * hourMs,
  daily: 24 * hourMs,
  weekly: 7 * 24 * hourMs,
} as const;

/**
 * When an artifact is refreshed next: a whole number of periods after it was due, and in the future. What was missed
 * does not come later.
 */
export function nextRefresh(frequency: ArtifactRefreshFrequency, due: Date, now: Date): Date {
  if (frequency === 'monthly') return nextMonth(due, now);
  const period = fixedMs[frequency];
  const missed = Math.max(0, Math.floor((now.getTime() - due.getTime()) / period));
  return new Date(due.getTime() + (missed + 1) * period);
}

/** The same day of a later month, UTC; where the month lacks it, its last. */
function nextMonth(due: Date, now: Date): Date {
  for (let months = 1; ; months += 1) {
    const lastDay = new Date(Date.UTC(due.getUTCFullYear(), due.getUTCMonth() + months + 1, 0));
    const day = Math.min(due.getUTCDate(), lastDay.getUTCDate());
    const next = new Date(due);
    next.setUTCFullYear(lastDay.getUTCFullYear(), lastDay.getUTCMonth(), day);
    if (next > now) return next;
  }
}
