import type { scheduleSchema } from '@aos/contracts';
import type { z } from 'zod';
import type { ScheduleEntity } from './schedule.entity.js';
import { upcomingOccurrences } from './upcoming-occurrences.js';

export type Schedule = z.output<typeof scheduleSchema>;

export function toSchedule(row: ScheduleEntity): Schedule {
  return {
    id: row.id,
    schedule_id: row.id,
    agent_id: row.agent_id,
    enabled: row.enabled,
    frequency: row.frequency,
    time: row.time,
    timezone: row.timezone,
    day: row.day as Schedule['day'],
    day_of_month: row.day_of_month,
    // A version before kept it when another frequency was chosen.
    cron: row.frequency === 'custom' ? row.cron : null,
    recurring: row.recurring,
    message: row.message,
    next_run_at: row.next_run_at?.toISOString() ?? null,
    last_run_at: row.last_run_at?.toISOString() ?? null,
    last_run_id: row.last_run_id,
    auto_disabled_at: row.auto_disabled_at?.toISOString() ?? null,
    auto_disabled_reason: row.auto_disabled_reason,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

/** The same with the moments at which it fires next, which take time to find. */
export function toScheduleWithUpcoming(row: ScheduleEntity): Schedule {
  const upcoming_runs = upcomingOccurrences(row).map((moment) => moment.toISOString());
  return { ...toSchedule(row), upcoming_runs };
}
