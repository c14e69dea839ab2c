import { setImmediate as nextTurn } from 'node:timers/promises';
import { scheduleFired } from '@aos/contracts';
import { Outbox } from '@aos/events';
import { isStoreUnavailable, newId, Transactions } from '@aos/persistence';
import { Logger } from '@aos/platform';
import { Injectable } from '@nestjs/common';
import { followingOccurrence } from './next-occurrence.js';
import { SchedulesRepository, type DueSchedule, type PlannedRun } from './schedules.repository.js';

const batchSize = 100;

/**
 * Fires what is due. The next date is computed before the transaction; the claim, the event and that date are one
 * transaction, which takes only schedules that are still as they were read: never twice, never lost.
 */
@Injectable()
export class ScheduleRunner {
  constructor(
    private readonly schedules: SchedulesRepository,
    private readonly transactions: Transactions,
    private readonly outbox: Outbox,
    private readonly logger: Logger,
  ) {}

  /** The number of schedules that were fired. */
  async runDue(): Promise<number> {
    for (let total = 0; ;) {
      const due = await this.schedules.due(batchSize);
      const planned: PlannedRun[] = [];
      for (const schedule of due) {
        planned.push(this.plan(schedule));
        // Requests do not wait for the whole batch.
        await nextTurn();
      }
      const fired = await this.fire(planned);
      total += fired;
      if (fired === 0 || due.length < batchSize) return total;
    }
  }

  /** One that cannot be stored does not take the others with it. */
  private async fire(planned: readonly PlannedRun[]): Promise<number> {
    if (planned.length === 0) return 0;
    try {
      return await this.store(planned);
    } catch (error) {
      if (isStoreUnavailable(error)) throw error;
      if (planned.length > 1) {
        let fired = 0;
        for (const one of planned) fired += await this.fire([one]);
        return fired;
      }
      const { id } = planned[0]!.schedule;
      this.logger.error(
        { err: error, schedule_id: id },
        'a schedule could not be fired and will be tried again',
      );
      return 0;
    }
  }

  private store(planned: readonly PlannedRun[]): Promise<number> {
    return this.transactions.run(async () => {
      const taken = await this.schedules.takeDue(planned);
      const fired = planned.filter(({ schedule }) => taken.has(schedule.id));
      if (fired.length > 0) await this.outbox.record(...fired.map(firedEvent));
      return fired.length;
    });
  }

  /** A schedule whose next date cannot be computed fires this once, and is switched off; the others are not held up. */
  private plan(schedule: DueSchedule): PlannedRun {
    const runId = newId();
    if (!schedule.recurring) return { schedule, runId, nextRunAt: null, fault: null };
    try {
      const nextRunAt = followingOccurrence(schedule, schedule.next_run_at!, schedule.looked_at) ?? null;
      return {
        schedule,
        runId,
        nextRunAt,
        fault: nextRunAt ? null : 'The schedule never matches a date again.',
      };
    } catch (error) {
      this.logger.warn({ err: error, schedule_id: schedule.id }, 'schedule has no next date');
      return {
        schedule,
        runId,
        nextRunAt: null,
        fault: `Its next date cannot be told: ${(error as Error).message}`,
      };
    }
  }
}

function firedEvent({ schedule, runId }: PlannedRun) {
  return {
    event: scheduleFired,
    teamId: schedule.team_id,
    data: {
      schedule_id: schedule.id,
      agent_id: schedule.agent_id,
      run_id: runId,
      due_at: schedule.next_run_at!.toISOString(),
      message: schedule.message,
    },
  };
}
