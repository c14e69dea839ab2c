import { Transactions, type Page, type PageRequest } from '@aos/persistence';
import { Inject, Injectable } from '@nestjs/common';
import type { ScheduleEntity } from './schedule.entity.js';

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
export interface PlannedFiring {
  readonly schedule: ScheduleEntity;
  readonly runId: string;
  readonly nextRunAt: Date | null;
  /** Why there is no next date although it recurs. */
  readonly fault: string | null;
}

const fieldColumns = [
  'enabled',
  'frequency',
  'time',
  'timezone',
  'day',
  'day_of_month',
  'cron',
  'recurring',
  'message',
  'next_run_at',
] as const;

const assignments = fieldColumns.map((column, index) => `${column} = $${index + 3}`).join(', ');

@Injectable()
export class SchedulesRepository {
  constructor(@Inject(Transactions) private readonly transactions: Transactions) {}

  async insert(
    identity: { id: string; agentId: string; teamId: string },
    fields: ScheduleFields,
  ): Promise<ScheduleEntity> {
    const places = fieldColumns.map((_, index) => `$${index + 4}`).join(', ');
    const [row] = await this.transactions.query<ScheduleEntity>(
      `INSERT INTO schedule (id, agent_id, team_id, ${fieldColumns.join(', ')}, created_at, updated_at)
       VALUES ($1, $2, $3, ${places}, now(), now()) RETURNING *`,
      [identity.id, identity.agentId, identity.teamId, ...valuesOf(fields)],
    );
    return row!;
  }

  /** A person's change also forgives earlier failures. */
  async update(teamId: string, scheduleId: string, fields: ScheduleFields): Promise<ScheduleEntity> {
    const [row] = await this.transactions.query<ScheduleEntity>(
      `UPDATE schedule SET ${assignments}, failed_firings = 0, auto_disabled_at = NULL,
              auto_disabled_reason = NULL, updated_at = now()
        WHERE id = $2 AND team_id = $1 RETURNING *`,
      [teamId, scheduleId, ...valuesOf(fields)],
    );
    return row!;
  }

  async find(teamId: string, agentId: string, scheduleId: string): Promise<ScheduleEntity | undefined> {
    const [row] = await this.transactions.query<ScheduleEntity>(
      'SELECT * FROM schedule WHERE id = $3 AND agent_id = $2 AND team_id = $1',
      [teamId, agentId, scheduleId],
    );
    return row;
  }

  async list(teamId: string, agentId: string, page: PageRequest): Promise<Page<ScheduleEntity>> {
    const items = await this.transactions.query<ScheduleEntity>(
      'SELECT * FROM schedule WHERE agent_id = $2 AND team_id = $1 ORDER BY id LIMIT $3 OFFSET $4',
      [teamId, agentId, page.limit, page.offset],
    );
    const [row] = await this.transactions.query<{ count: string }>(
      'SELECT count(*) FROM schedule WHERE agent_id = $2 AND team_id = $1',
      [teamId, agentId],
    );
    return { items, total: Number(row!.count), ...page };
  }

  async ofAgents(teamId: string, agentIds: readonly string[]): Promise<ScheduleEntity[]> {
    return this.transactions.query<ScheduleEntity>(
      'SELECT * FROM schedule WHERE agent_id = ANY($2::uuid[]) AND team_id = $1 ORDER BY id',
      [teamId, agentIds],
    );
  }

  async countEnabled(teamId: string, agentId: string, exceptId: string | null): Promise<number> {
    const [row] = await this.transactions.query<{ count: string }>(
      `SELECT count(*) FROM schedule
        WHERE agent_id = $2 AND team_id = $1 AND enabled AND id IS DISTINCT FROM $3::uuid`,
      [teamId, agentId, exceptId],
    );
    return Number(row!.count);
  }

  async delete(teamId: string, agentId: string, scheduleId: string): Promise<boolean> {
    const gone = await this.transactions.query(
      'DELETE FROM schedule WHERE id = $3 AND agent_id = $2 AND team_id = $1 RETURNING id',
      [teamId, agentId, scheduleId],
    );
    return gone.length === 1;
  }

  async deleteAll(teamId: string, agentId: string): Promise<number> {
    const gone = await this.transactions.query(
      'DELETE FROM schedule WHERE agent_id = $2 AND team_id = $1 RETURNING id',
      [teamId, agentId],
    );
    return gone.length;
  }

  /** Due schedules of all teams, the longest due first. */
  due(limit: number): Promise<ScheduleEntity[]> {
    return this.transactions.query<ScheduleEntity>(
      'SELECT * FROM schedule WHERE enabled AND next_run_at <= now() ORDER BY next_run_at LIMIT $1',
      [limit],
    );
  }

  /**
   * Moves those on that are as they were read and that no other worker has just now; gives their ids. One with a fault
   * is switched off.
   */
  async takeDue(firings: readonly PlannedFiring[]): Promise<Set<string>> {
    const rows = firings.map(({ schedule, runId, nextRunAt, fault }) => ({
      id: schedule.id,
      due_at: schedule.next_run_at,
      updated_at: schedule.updated_at,
      run_id: runId,
      next_run_at: nextRunAt,
      fault,
    }));
    const taken = await this.transactions.query<{ id: string }>(
      `WITH fired AS MATERIALIZED (
         SELECT * FROM jsonb_to_recordset($1::jsonb) AS f(
           id uuid, due_at timestamptz(3), updated_at timestamptz(3), run_id uuid, next_run_at timestamptz(3), fault text)),
       held AS (
         SELECT s.id FROM schedule s JOIN fired ON fired.id = s.id
          WHERE s.enabled AND s.next_run_at = fired.due_at AND s.updated_at = fired.updated_at
          ORDER BY s.id FOR UPDATE OF s SKIP LOCKED)
       UPDATE schedule s SET next_run_at = fired.next_run_at, enabled = fired.next_run_at IS NOT NULL,
              last_run_at = now(), last_run_id = fired.run_id,
              auto_disabled_at = CASE WHEN fired.fault IS NOT NULL THEN now() ELSE s.auto_disabled_at END,
              auto_disabled_reason = COALESCE(fired.fault, s.auto_disabled_reason)
         FROM held JOIN fired USING (id) WHERE s.id = held.id RETURNING s.id`,
      [JSON.stringify(rows)],
    );
    return new Set(taken.map(({ id }) => id));
  }

  /** A firing went well: failures count in a row only. */
  async forgive(scheduleId: string): Promise<void> {
    await this.transactions.query(
      'UPDATE schedule SET failed_firings = 0 WHERE id = $1 AND failed_firings > 0',
      [scheduleId],
    );
  }

  /** Counts a failed firing, and switches the schedule off at the last one it may have. */
  async noteFailure(scheduleId: string, most: number, reason: string): Promise<void> {
    await this.transactions.query(
      `UPDATE schedule SET failed_firings = failed_firings + 1,
              enabled = enabled AND failed_firings + 1 < $2,
              next_run_at = CASE WHEN failed_firings + 1 < $2 THEN next_run_at END,
              auto_disabled_at = CASE WHEN enabled AND failed_firings + 1 >= $2 THEN now()
                                      ELSE auto_disabled_at END,
              auto_disabled_reason = CASE WHEN enabled AND failed_firings + 1 >= $2
                                          THEN $2::int || ' firings in a row have failed; the last: ' || $3
                                          ELSE auto_disabled_reason END,
              updated_at = now()
        WHERE id = $1`,
      [scheduleId, most, reason],
    );
  }
}

function valuesOf(fields: ScheduleFields): unknown[] {
  return fieldColumns.map((column) => fields[column]);
}
