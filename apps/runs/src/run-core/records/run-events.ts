import {
  runFailed,
  runMessageCreated,
  runUsed,
  scheduledRunEnded,
  type EventDefinition,
  type EventUsage,
  type RunError,
} from '@aos/contracts';
import { Outbox, type NewEvent } from '@aos/events';
import { Injectable } from '@nestjs/common';
import type { EventRecord, MessageRecord } from './run-records.js';
import type { endColumns } from '../run-columns.js';
import type { RunEntity } from '../run.entity.js';
import { factsOf } from '../run.mapper.js';

type MeteredRun = Pick<RunEntity, 'id' | 'team_id' | 'agent_id'>;

/** Makes the rows of a run's events. */
@Injectable()
export class RunEvents {
  constructor(private readonly outbox: Outbox) {}

  /** A public event: it gets a number within the run and is shown in its stream. */
  publicEvent<E extends EventDefinition>(event: NewEvent<E>): EventRecord[] {
    return [{ ...this.outbox.toRow(event), isPublic: true }];
  }

  /** The first also says how many there are, for the one who counts them. */
  ofMessages(run: MeteredRun, messages: readonly MessageRecord[]): EventRecord[] {
    const events = messages.flatMap(({ id: messageId, role, type }) =>
      this.publicEvent({
        event: runMessageCreated,
        teamId: run.team_id,
        data: { run_id: run.id, message_id: messageId, role, type },
      }),
    );
    return messages.length === 0 ? events : this.withUsage(run, events, { messages: messages.length });
  }

  /**
   * The events of a change, of which the first says what the change has used. A change that nothing else is said of has
   * an event for that alone.
   */
  withUsage(
    run: MeteredRun,
    events: readonly EventRecord[],
    used: Omit<EventUsage, 'agent_id'>,
  ): EventRecord[] {
    if (!Object.values(used).some((amount) => amount !== undefined && amount !== 0)) return [...events];
    const [first = this.usageAlone(run), ...others] = events;
    const usage = { ...first.meta.usage, ...used, agent_id: run.agent_id };
    return [{ ...first, meta: { ...first.meta, usage } }, ...others];
  }

  private usageAlone({ id, team_id: teamId }: MeteredRun): EventRecord {
    return { ...this.outbox.toRow({ event: runUsed, teamId, data: { run_id: id } }), isPublic: false };
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
