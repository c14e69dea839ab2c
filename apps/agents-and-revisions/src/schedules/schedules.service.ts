import { AppError, notFound } from '@aos/contracts';
import { Entitlements } from '@aos/entitlements';
import { newId, type Page, type PageRequest } from '@aos/persistence';
import { Injectable } from '@nestjs/common';
import { AgentsRepository } from '../agents/agents.repository.js';
import { CronSyntaxError } from './cron-expression.js';
import { isSameRecurrence, nextOccurrence, type Recurrence } from './next-occurrence.js';
import type { ScheduleEntity } from './schedule.entity.js';
import { SchedulesRepository, type ScheduleFields } from './schedules.repository.js';

export type WantedSchedule = Omit<ScheduleFields, 'next_run_at'>;

const maxEnabled = 5;

@Injectable()
export class SchedulesService {
  constructor(
    private readonly schedules: SchedulesRepository,
    private readonly agents: AgentsRepository,
    private readonly entitlements: Entitlements,
  ) {}

  async list(teamId: string, agentId: string, page: PageRequest): Promise<Page<ScheduleEntity>> {
    if (!(await this.agents.find(teamId, agentId))) throw notFound('The agent');
    return this.schedules.list(teamId, agentId, page);
  }

  async create(teamId: string, agentId: string, wanted: WantedSchedule): Promise<ScheduleEntity> {
    const fields = withNextRun(wanted);
    await this.lockAgent(teamId, agentId);
    if (wanted.enabled) await this.assertRoom(teamId, agentId, null);
    return this.schedules.insert({ id: newId(), agentId, teamId }, fields);
  }

  async update(
    teamId: string,
    agentId: string,
    scheduleId: string,
    changes: Partial<WantedSchedule>,
  ): Promise<ScheduleEntity> {
    await this.lockAgent(teamId, agentId);
    const present = await this.schedules.lock(teamId, agentId, scheduleId);
    if (!present) throw notFound('The schedule');
    const fields = withDateOf(present, merge(present, changes));
    if (fields.enabled && !present.enabled) await this.assertRoom(teamId, agentId, scheduleId);
    return this.schedules.update(teamId, scheduleId, fields);
  }

  async delete(teamId: string, agentId: string, scheduleId: string): Promise<void> {
    const agent = await this.agents.find(teamId, agentId);
    if (!agent || !(await this.schedules.delete(teamId, agentId, scheduleId))) throw notFound('The schedule');
  }

  /** So that schedules enabled at the same time are counted one after the other. */
  private async lockAgent(teamId: string, agentId: string): Promise<void> {
    if (!(await this.agents.lock(teamId, agentId))) throw notFound('The agent');
  }

  private async assertRoom(teamId: string, agentId: string, scheduleId: string | null): Promise<void> {
    const count = () => this.schedules.countEnabled(teamId, agentId, scheduleId);
    await this.entitlements.assertRoom(teamId, 'schedules_per_agent', count);
    if ((await count()) >= maxEnabled) {
      throw new AppError('limit_reached', `An agent has at most ${maxEnabled} enabled schedules.`);
    }
  }
}

/** An expression says how often by itself; with another frequency it would be passed over. */
export function withFrequency<Given extends Partial<Pick<WantedSchedule, 'frequency' | 'cron'>>>(
  given: Given,
): Given {
  const { frequency, cron } = given;
  const isCustom = frequency === undefined || frequency === 'custom';
  if (cron === undefined || cron === null) return isCustom ? given : { ...given, cron: null };
  if (isCustom) return { ...given, frequency: 'custom' };
  throw new AppError('invalid_request', `cron: must be absent when frequency is ${frequency}`);
}

function merge(present: ScheduleEntity, changes: Partial<WantedSchedule>): WantedSchedule {
  const given = Object.entries(changes).filter(([, value]) => value !== undefined);
  return { ...present, ...Object.fromEntries(given) };
}

/** A date stays unless another is asked for: one that has come, and is yet to fire, would be lost. */
function withDateOf(present: ScheduleEntity, wanted: WantedSchedule): ScheduleFields {
  const keepsDate = wanted.enabled === present.enabled && isSameRecurrence(wanted, present);
  return keepsDate ? { ...wanted, next_run_at: present.next_run_at } : withNextRun(wanted);
}

function withNextRun(wanted: WantedSchedule): ScheduleFields {
  return { ...wanted, next_run_at: wanted.enabled ? firstRun(wanted) : checked(wanted) };
}

/** A disabled schedule has no next run, but its expression must be sound all the same. */
function checked(recurrence: Recurrence): null {
  firstRun(recurrence);
  return null;
}

function firstRun(recurrence: Recurrence): Date {
  if (recurrence.frequency === 'custom' && recurrence.cron === null) {
    throw new AppError('invalid_request', 'cron: is required when frequency is custom');
  }
  try {
    const next = nextOccurrence(recurrence, new Date());
    if (next) return next;
  } catch (error) {
    if (!(error instanceof CronSyntaxError)) throw error;
    throw new AppError('invalid_request', `cron: ${error.message}`);
  }
  throw new AppError('invalid_request', 'cron: never matches a date');
}
