import { hasEnded, notFound, type RunStatus } from '@aos/contracts';
import { PreparedStatements } from '@aos/persistence';
import { Injectable } from '@nestjs/common';
import type { RunEventEntity } from '../../run-core/records/run-event.entity.js';
import { eventsAfter } from './run-events.sql.js';

export interface EventPage {
  readonly events: readonly RunEventEntity[];
  /** Whether there were no further events when these were read. */
  readonly complete: boolean;
  /** Whether the run had ended and these were its last events. */
  readonly ended: boolean;
}

type Row = { status: RunStatus; event_seq: number } & (RunEventEntity | { seq: null });

@Injectable()
export class RunEventsRepository {
  constructor(private readonly statements: PreparedStatements) {}

  /** The events after a number, and how the run was when they were its latest: one statement, one moment. */
  async page(teamId: string, runId: string, after: number): Promise<EventPage> {
    const rows = await this.statements.read<Row>(eventsAfter, [teamId, runId, after]);
    const [first] = rows;
    if (!first) throw notFound('The run');
    const events = rows.filter((row): row is Row & RunEventEntity => row.seq !== null);
    const complete = (events.at(-1)?.seq ?? after) >= first.event_seq;
    return { events, complete, ended: complete && hasEnded(first.status) };
  }
}
