import {
  runFailed,
  runMessageCreated,
  scheduledRunEnded,
  type EventDefinition,
  type RunError,
} from '@aos/contracts';
import { Outbox, type NewEvent } from '@aos/persistence';
import { Injectable } from '@nestjs/common';
import type { EventRecord, MessageRecord } from './run-records.js';
import type { endColumns } from './run-columns.js';
import type { RunEntity } from './run.entity.js';
import { factsOf } from './run.mapper.js';

/** Makes the rows of a run's events. */
@Injectable()
export class RunEvents {
  constructor(private readonly outbox: Outbox) {}

  /** A public event: it gets a number within the run and is shown in its stream. */
  publicEvent<E extends EventDefinition>(event: NewEvent<E>): EventRecord[] {
    return [{ ...this.outbox.toRow(event), isPublic: true }];
  }

  ofMessages(
    { id, team_id: teamId }: Pick<RunEntity, 'id' | 'team_id'>,
    messages: readonly MessageRecord[],
  ): EventRecord[] {
    return messages.flatMap(({ id: messageId, role, type }) =>
      this.publicEvent({
        event: runMessageCreated,
        teamId,
        data: { run_id: id, message_id: messageId, role, type },
      }),
    );
  }

  /** The schedule that has started the run is notified of its first end. */
  ofScheduledRun(
    run: Pick<RunEntity, (typeof endColumns)[number]>,
    outcome: { ok: boolean; reason?: string },
  ): EventRecord[] {
    if (run.schedule_id === null || run.reopened > 0) return [];
    const data = { schedule_id: run.schedule_id, run_id: run.id, ...outcome };
    return [
      { ...this.outbox.toRow({ event: scheduledRunEnded, teamId: run.team_id, data }), isPublic: false },
    ];
  }

  /** The events of a run that fails, for whatever reason. */
  ofFailure(run: Pick<RunEntity, (typeof endColumns)[number]>, error: RunError): EventRecord[] {
    const data = factsOf(run, { status: 'failed', error });
    return [
      ...this.publicEvent({ event: runFailed, teamId: run.team_id, data }),
      ...this.ofScheduledRun(run, { ok: false, reason: error.message }),
    ];
  }
}
