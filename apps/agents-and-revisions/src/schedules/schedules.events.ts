import { scheduledRunEnded, type TypedBusEvent } from '@aos/contracts';
import { Consumes } from '@aos/messaging';
import { Injectable } from '@nestjs/common';
import { SchedulesRepository } from './schedules.repository.js';

const mostFailures = 10;

/** A schedule whose runs fail ten times in a row is switched off. */
@Injectable()
export class SchedulesEvents {
  constructor(private readonly schedules: SchedulesRepository) {}

  @Consumes(scheduledRunEnded)
  async runsEnded(events: readonly TypedBusEvent<typeof scheduledRunEnded>[]): Promise<void> {
    for (const { data } of events) {
      if (data.skipped) continue;
      if (data.ok) await this.schedules.forgive(data.schedule_id);
      else await this.schedules.noteFailure(data.schedule_id, mostFailures, data.reason ?? 'the run failed');
    }
  }
}
