import { scheduleFired } from '@aos/contracts';
import { newId, Outbox, Transactions } from '@aos/persistence';
import { Inject, Injectable } from '@nestjs/common';
import { nextOccurrence } from './next-occurrence.js';
import type { ScheduleEntity } from './schedule.entity.js';
import { SchedulesRepository } from './schedules.repository.js';

const batchSize = 100;

/** Fires what is due. Claim, firing and the next date are one transaction: never twice, never lost. */
@Injectable()
export class Firing {
  constructor(
    @Inject(SchedulesRepository) private readonly schedules: SchedulesRepository,
    @Inject(Transactions) private readonly transactions: Transactions,
    @Inject(Outbox) private readonly outbox: Outbox,
  ) {}

  /** The number of schedules that were fired. */
  async fireDue(): Promise<number> {
    let total = 0;
    for (let fired = batchSize; fired === batchSize; total += fired) fired = await this.fireBatch();
    return total;
  }

  private fireBatch(): Promise<number> {
    return this.transactions.run(async () => {
      const due = await this.schedules.takeDue(batchSize);
      if (due.length === 0) return 0;
      const now = new Date();
      const firings = due.map((schedule) => ({
        id: schedule.id,
        schedule,
        runId: newId(),
        dueAt: schedule.next_run_at!,
        // From now on: what was missed while nobody was there fires once.
        nextRunAt: schedule.recurring ? (nextOccurrence(schedule, now) ?? null) : null,
      }));
      await this.schedules.markFired(firings);
      await this.outbox.record(...firings.map(firedEvent));
      return due.length;
    });
  }
}

function firedEvent({ schedule, runId, dueAt }: { schedule: ScheduleEntity; runId: string; dueAt: Date }) {
  return {
    event: scheduleFired,
    teamId: schedule.team_id,
    data: {
      schedule_id: schedule.id,
      agent_id: schedule.agent_id,
      run_id: runId,
      due_at: dueAt.toISOString(),
      message: schedule.message,
    },
  };
}
