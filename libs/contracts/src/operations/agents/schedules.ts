import { z } from 'zod';
import { defineOperation } from '../../declarations/operation.js';
import {
  idParams,
  idSchema,
  listOf,
  pageQuery,
  successSchema,
  timestampSchema,
} from '../../schemas/common.js';
import { named } from '../../schemas/named.js';

const owner = 'agents-and-revisions';
const tag = 'Schedules';

export const scheduleFrequencies = [
  'every_5_minutes',
  'every_15_minutes',
  'hourly',
  'daily',
  'workday',
  'weekly',
  'monthly',
  'custom',
] as const;

export const scheduleFrequencySchema = named('ScheduleFrequency', z.enum(scheduleFrequencies));

export const weekdays = [
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
  'sunday',
] as const;

export const weekdaySchema = named('Weekday', z.enum(weekdays));

export const scheduleSchema = named(
  'Schedule',
  z.object({
    id: idSchema,
    schedule_id: idSchema,
    agent_id: idSchema,
    enabled: z.boolean(),
    frequency: scheduleFrequencySchema,
    time: z.string(),
    timezone: z.string(),
    day: weekdaySchema,
    day_of_month: z.int(),
    cron: z.string().nullable(),
    recurring: z.boolean(),
    message: z.string().nullable(),
    next_run_at: timestampSchema.nullable(),
    /** The next five; left out where schedules are listed with their agents. */
    upcoming_runs: z.array(timestampSchema).optional(),
    last_run_at: timestampSchema.nullable(),
    last_run_id: idSchema.nullable(),
    auto_disabled_at: timestampSchema.nullable(),
    auto_disabled_reason: z.string().nullable(),
    created_at: timestampSchema,
    updated_at: timestampSchema,
  }),
);

const fields = {
  enabled: z.boolean(),
  frequency: scheduleFrequencySchema,
  time: z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Invalid time: expected HH:MM'),
  timezone: z.string().min(1).max(64).refine(isTimeZone, 'Invalid time zone: expected an IANA name'),
  day: weekdaySchema,
  day_of_month: z.int().min(1).max(31),
  cron: z.string().min(1).max(200),
  recurring: z.boolean(),
  message: z.string().max(20_000),
};

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

export const listAgentSchedules = defineOperation({
  operationId: 'listAgentSchedules',
  method: 'GET',
  path: '/v2/agents/{agent_id}/schedules',
  tag,
  summary: 'List the schedules of an agent',
  owner,
  scope: 'agents:read',
  params: idParams('agent_id'),
  query: z.object({ ...pageQuery() }),
  status: 200,
  response: listOf('schedules', scheduleSchema),
});

export const createSchedule = defineOperation({
  operationId: 'createSchedule',
  method: 'POST',
  path: '/v2/agents/{agent_id}/schedules',
  tag,
  summary: 'Create a schedule',
  description:
    '`custom` needs a cron expression of five fields. With `cron` and without `frequency` it is `custom`, else `daily`; `cron` with another frequency is refused.',
  owner,
  scope: 'agents:write',
  params: idParams('agent_id'),
  body: z.object({
    enabled: fields.enabled.default(true),
    frequency: fields.frequency.optional(),
    time: fields.time.default('09:00'),
    timezone: fields.timezone.default('UTC'),
    day: fields.day.default('monday'),
    day_of_month: fields.day_of_month.default(1),
    cron: fields.cron.nullish(),
    recurring: fields.recurring.default(true),
    message: fields.message.nullish(),
  }),
  status: 200,
  response: scheduleSchema,
});

export const updateSchedule = defineOperation({
  operationId: 'updateSchedule',
  method: 'PATCH',
  path: '/v2/agents/{agent_id}/schedules/{schedule_id}',
  tag,
  summary: 'Update a schedule',
  owner,
  scope: 'agents:write',
  params: idParams('agent_id', 'schedule_id'),
  body: z.object({
    enabled: fields.enabled.optional(),
    frequency: fields.frequency.optional(),
    time: fields.time.optional(),
    timezone: fields.timezone.optional(),
    day: fields.day.optional(),
    day_of_month: fields.day_of_month.optional(),
    cron: fields.cron.nullish(),
    recurring: fields.recurring.optional(),
    message: fields.message.nullish(),
  }),
  status: 200,
  response: scheduleSchema,
});

export const deleteSchedule = defineOperation({
  operationId: 'deleteSchedule',
  method: 'DELETE',
  path: '/v2/agents/{agent_id}/schedules/{schedule_id}',
  tag,
  summary: 'Delete a schedule',
  owner,
  scope: 'agents:write',
  params: idParams('agent_id', 'schedule_id'),
  status: 200,
  response: successSchema,
});
