import type { Schedule } from '@aos/client';
import { Cron } from 'croner';

type Rhythm = Pick<
  Schedule,
  'frequency' | 'time' | 'timezone' | 'day' | 'day_of_month' | 'cron' | 'recurring'
>;

/** The next moments at which a schedule fires. The first is the service's own; the others follow by the same calendar. */
export function nextFirings(rhythm: Rhythm, next: string | null, most = 5): string[] {
  if (next === null) return [];
  if (!rhythm.recurring) return [next];
  const moments = expressions(rhythm).flatMap((expression) =>
    new Cron(expression, { timezone: rhythm.timezone, paused: true, domAndDow: isBoth(expression) })
      .nextRuns(most, new Date(next))
      .map((moment) => moment.toISOString()),
  );
  return [...new Set([next, ...moments.sort()])].slice(0, most);
}

/** When day and weekday are both given, one that fits either will do. */
function isBoth(expression: string): boolean {
  const [, , days = '', , weekdays = ''] = expression.split(' ');
  return days.startsWith('*') || weekdays.startsWith('*');
}

function expressions({ frequency, time, day, day_of_month: dayOfMonth, cron }: Rhythm): string[] {
  const [hour, minute] = time.split(':').map(Number);
  switch (frequency) {
    case 'every_5_minutes':
      return ['*/5 * * * *'];
    case 'every_15_minutes':
      return ['*/15 * * * *'];
    case 'hourly':
      return [`${minute} * * * *`];
    case 'daily':
      return [`${minute} ${hour} * * *`];
    case 'workday':
      return [`${minute} ${hour} * * 1-5`];
    case 'weekly':
      return [`${minute} ${hour} * * ${day.slice(0, 3)}`];
    case 'monthly':
      // A day that the month lacks is its last.
      if (dayOfMonth <= 28) return [`${minute} ${hour} ${dayOfMonth} * *`];
      if (dayOfMonth === 31) return [`${minute} ${hour} L * *`];
      return [`${minute} ${hour} ${dayOfMonth} 1,3-12 *`, `${minute} ${hour} L 2 *`];
    case 'custom':
      return cron === null ? [] : [cron];
  }
}
