import { runMessageCreated, scheduledRunEnded, type EventDefinition } from '@aos/contracts';
import { Outbox, type NewEvent } from '@aos/persistence';
import { Inject, Injectable } from '@nestjs/common';
import type { EventRecord, MessageRecord } from './run-records.js';
import type { RunEntity } from './run.entity.js';

/** Makes the rows of a run's events. */
@Injectable()
export class RunEvents {
  constructor(@Inject(Outbox) private readonly outbox: Outbox) {}

  /** A public event: it gets a number within the run and is shown in its stream. */
  shown<E extends EventDefinition>(event: NewEvent<E>): EventRecord[] {
    return [{ ...this.outbox.toRow(event), shown: true }];
  }

  ofMessages(
    { id, team_id: teamId }: Pick<RunEntity, 'id' | 'team_id'>,
    messages: readonly MessageRecord[],
  ): EventRecord[] {
    return messages.flatMap(({ id: messageId, role, type }) =>
      this.shown({
        event: runMessageCreated,
        teamId,
        data: { run_id: id, message_id: messageId, role, type },
      }),
    );
  }

  /** A schedule is told how the run that it has started ended, the first time. */
  ofScheduledRun(
    run: Pick<RunEntity, 'id' | 'team_id' | 'schedule_id' | 'reopened'>,
    outcome: { ok: boolean; reason?: string },
  ): EventRecord[] {
    if (run.schedule_id === null || run.reopened > 0) return [];
    const data = { schedule_id: run.schedule_id, run_id: run.id, ...outcome };
    return [{ ...this.outbox.toRow({ event: scheduledRunEnded, teamId: run.team_id, data }), shown: false }];
  }
}
