import { scheduledRunEnded, type TypedBusEvent } from '@aos/contracts';
import { Consumes } from '@aos/events';
import { Logger } from '@aos/platform';
import { Injectable } from '@nestjs/common';
import { SchedulesRepository } from './schedules.repository.js';

const maxFailures = 10;

/** A schedule whose runs fail ten times in a row is switched off; a firing that was skipped has no run to show. */
@Injectable()
export class SchedulesEvents {
  constructor(
    private readonly schedules: SchedulesRepository,
    private readonly logger: Logger,
  ) {}

  @Consumes(scheduledRunEnded)
  async runsEnded(events: readonly TypedBusEvent<typeof scheduledRunEnded>[]): Promise<void> {
    for (const { data } of events) {
      if (data.skipped) await this.forgetRun(data);
      else if (data.ok) await this.schedules.forgive(data.schedule_id);
      else await this.schedules.noteFailure(data.schedule_id, maxFailures, data.reason ?? 'the run failed');
    }
  }

  private async forgetRun({
    schedule_id: scheduleId,
    run_id: runId,
    reason,
  }: TypedBusEvent<typeof scheduledRunEnded>['data']): Promise<void> {
    await this.schedules.forgetRun(scheduleId, runId);
    this.logger.info(
      { schedule_id: scheduleId, run_id: runId, reason },
      'a firing of a schedule was skipped',
    );
  }
}
