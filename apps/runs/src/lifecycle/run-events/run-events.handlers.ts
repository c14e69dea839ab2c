import { hasEnded, notFound, type Req, type RunStatus, streamRunEvents } from '@aos/contracts';
import { Handles } from '@aos/messaging';
import { PreparedStatements } from '@aos/persistence';
import { Controller, Injectable } from '@nestjs/common';
import { eventsAfter } from './run-events.sql.js';

/** A public event of a run, as the log has it. */
interface RunEvent {
  readonly id: string;
  readonly seq: number;
  readonly event: string;
  readonly data: Record<string, unknown>;
  readonly created_at: Date;
}

export interface EventPage {
  readonly events: readonly RunEvent[];
  /** Whether there were no further events when these were read. */
  readonly complete: boolean;
  /** Whether the run had ended and these were its last events. */
  readonly ended: boolean;
}

type Row = { status: RunStatus; event_seq: number } & (RunEvent | { seq: null });

@Injectable()
export class RunEventsRepository {
  constructor(private readonly statements: PreparedStatements) {}

  /** The events after a number, and how the run was when they were its latest: one statement, one moment. */
  async page(teamId: string, runId: string, after: number): Promise<EventPage> {
    const rows = await this.statements.read<Row>(eventsAfter, [teamId, runId, after]);
    const [first] = rows;
    if (!first) throw notFound('The run');
    const events = rows.filter((row): row is Row & RunEvent => row.seq !== null);
    const complete = (events.at(-1)?.seq ?? after) >= first.event_seq;
    return { events, complete, ended: complete && hasEnded(first.status) };
  }
}

@Controller()
export class RunEventsHandlers {
  constructor(private readonly events: RunEventsRepository) {}

  @Handles(streamRunEvents)
  async streamRunEvents({ teamId, params, query }: Req<typeof streamRunEvents>) {
    const { events, complete, ended } = await this.events.page(teamId, params.run_id, query.after);
    return {
      events: events.map(({ id, seq, event, data, created_at: at }) => ({
        id,
        seq,
        event,
        data,
        created_at: at.toISOString(),
      })),
      complete,
      ended,
    };
  }
}
