import { findPage, Transactions, type Page, type PageRequest } from '@aos/persistence';
import { Injectable } from '@nestjs/common';
import { In, MoreThan, Not, type Repository } from 'typeorm';
import { ScheduleEntity } from './schedule.entity.js';
import {
  dueSchedules,
  hasScheduleSoon,
  maxEnabledSchedules,
  noteFailedRun,
  takeDueSchedules,
} from './schedules.sql.js';

export type ScheduleFields = Pick<
  ScheduleEntity,
  | 'enabled'
  | 'frequency'
  | 'time'
  | 'timezone'
  | 'day'
  | 'day_of_month'
  | 'cron'
  | 'recurring'
  | 'message'
  | 'next_run_at'
>;

/** A schedule as it was read, and what is to become of it. */
export interface PlannedRun {
  readonly schedule: ScheduleEntity;
  readonly runId: string;
  readonly nextRunAt: Date | null;
  /** Why there is no next date although it recurs. */
  readonly fault: string | null;
}

/** With the time at which it was found due: reckoned by another clock, a date could be passed over. */
export type DueSchedule = ScheduleEntity & { readonly looked_at: Date };

@Injectable()
export class SchedulesRepository {
  constructor(private readonly transactions: Transactions) {}

  async insert(
    { id, agentId, teamId }: { id: string; agentId: string; teamId: string },
    fields: ScheduleFields,
  ): Promise<ScheduleEntity> {
    await this.rows.insert({
      id,
      agent_id: agentId,
      team_id: teamId,
      ...fieldsOf(fields),
      created_at: () => 'now()',
      updated_at: () => 'now()',
    });
    return this.rows.findOneByOrFail({ id, team_id: teamId });
  }

  /** A person's change also forgives earlier failures; why it was switched off is told until it is switched on. */
  async update(teamId: string, scheduleId: string, fields: ScheduleFields): Promise<ScheduleEntity> {
    const where = { id: scheduleId, team_id: teamId };
    await this.rows.update(where, {
      ...fieldsOf(fields),
      failed_runs: 0,
      ...(fields.enabled ? { auto_disabled_at: null, auto_disabled_reason: null } : {}),
      updated_at: () => 'now()',
    });
    return this.rows.findOneByOrFail(where);
  }

  /** For a change of it: until that is stored it does not fire, and no run of it is counted. */
  async lock(teamId: string, agentId: string, scheduleId: string): Promise<ScheduleEntity | undefined> {
    const where = { id: scheduleId, agent_id: agentId, team_id: teamId };
    return (await this.rows.findOne({ where, lock: { mode: 'pessimistic_write' } })) ?? undefined;
  }

  async list(teamId: string, agentId: string, page: PageRequest): Promise<Page<ScheduleEntity>> {
    const where = { agent_id: agentId, team_id: teamId };
    return findPage(this.rows, { where, order: { id: 'ASC' } }, page);
  }

  async ofAgents(teamId: string, agentIds: readonly string[]): Promise<ScheduleEntity[]> {
    return this.rows.find({
      where: { agent_id: In(agentIds), team_id: teamId },
      order: { id: 'ASC' },
    });
  }

  async countEnabled(teamId: string, agentId: string, exceptId: string | null): Promise<number> {
    return this.rows.countBy({
      agent_id: agentId,
      team_id: teamId,
      enabled: true,
      ...(exceptId === null ? {} : { id: Not(exceptId) }),
    });
  }

  async delete(teamId: string, agentId: string, scheduleId: string): Promise<boolean> {
    const { affected } = await this.rows.delete({ id: scheduleId, agent_id: agentId, team_id: teamId });
    return affected === 1;
  }

  async deleteAll(teamId: string, agentId: string): Promise<number> {
    const { affected } = await this.rows.delete({ agent_id: agentId, team_id: teamId });
    return affected ?? 0;
  }

  /** How many enabled ones the agent has that has the most. */
  async maxEnabled(teamId: string): Promise<number> {
    const [row] = await this.transactions.query<{ most: number }>(maxEnabledSchedules, [teamId]);
    return row?.most ?? 0;
  }

  /** Due schedules of all teams, the longest due first. */
  due(limit: number): Promise<DueSchedule[]> {
    return this.transactions.query(dueSchedules, [limit]);
  }

  /** Whether one of any team is due, or will be within this time. */
  async isAnyDueWithin(ms: number): Promise<boolean> {
    const [row] = await this.transactions.query<{ soon: boolean }>(hasScheduleSoon, [ms]);
    return row!.soon;
  }

  /**
   * Moves those on that are as they were read and that no other worker has just now; gives their ids. One with a fault
   * is switched off.
   */
  async takeDue(planned: readonly PlannedRun[]): Promise<Set<string>> {
    const rows = planned.map(({ schedule, runId, nextRunAt, fault }) => ({
      id: schedule.id,
      due_at: schedule.next_run_at,
      updated_at: schedule.updated_at,
      run_id: runId,
      next_run_at: nextRunAt,
      fault,
    }));
    const taken = await this.transactions.query<{ id: string }>(takeDueSchedules, [JSON.stringify(rows)]);
    return new Set(taken.map(({ id }) => id));
  }

  /** A run went well: failures count in a row only. */
  async forgive(scheduleId: string): Promise<void> {
    await this.rows.update({ id: scheduleId, failed_runs: MoreThan(0) }, { failed_runs: 0 });
  }

  /** The run of its last firing was never started. */
  async forgetRun(scheduleId: string, runId: string): Promise<void> {
    await this.rows.update({ id: scheduleId, last_run_id: runId }, { last_run_id: null });
  }

  /** Counts a failed run, and switches the schedule off at the last one it may have. */
  async noteFailure(scheduleId: string, most: number, reason: string): Promise<void> {
    await this.transactions.query(noteFailedRun, [scheduleId, most, reason]);
  }

  private get rows(): Repository<ScheduleEntity> {
    return this.transactions.repository(ScheduleEntity);
  }
}

/** Without what else a schedule has that was read before. */
function fieldsOf(fields: ScheduleFields): ScheduleFields {
  const { enabled, frequency, time, timezone, day, day_of_month, cron, recurring, message, next_run_at } =
    fields;
  return { enabled, frequency, time, timezone, day, day_of_month, cron, recurring, message, next_run_at };
}
