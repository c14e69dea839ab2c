import { BackgroundLoops, type WakeableLoop } from '@aos/background';
import { runDeleted, runStreamEvents, teamOf, type TypedBusEvent } from '@aos/contracts';
import { ConsumesByStatement, type EventStatement } from '@aos/events';
import { DueRows, Transactions } from '@aos/persistence';
import { Injectable } from '@nestjs/common';
import { anyDeletedRun, emptyDeletedRuns, noteDeletedRuns } from './deleted-runs.sql.js';

const lookEveryMs = 5_000;
/** Small enough to delay neither senders nor readers. */
const [maxRuns, maxEventsOfRun] = [20, 100];
const names = runStreamEvents.map(({ name }) => name);

/**
 * When a run is deleted, the feed keeps the envelopes of its events and forgets what they said, and what receivers
 * answered. Deliveries have the envelope of the feed, so a redelivery sends no more than that.
 */
@Injectable()
export class DeletedRuns {
  private readonly emptying: WakeableLoop;

  constructor(
    private readonly transactions: Transactions,
    loops: BackgroundLoops,
    dueRows: DueRows,
  ) {
    this.emptying = loops.add({
      name: 'the emptying of events of deleted runs',
      idleMs: lookEveryMs,
      mayHaveWork: () => dueRows.any(anyDeletedRun),
      work: () => this.empty(),
    });
  }

  @ConsumesByStatement(runDeleted)
  note(events: readonly TypedBusEvent<typeof runDeleted>[]): EventStatement {
    return {
      sql: noteDeletedRuns,
      parameters: [events.map(({ data }) => data.run_id), events.map(({ meta }) => teamOf(meta))],
      committed: () => this.emptying.wake(),
    };
  }

  /** True if there is more. */
  private async empty(): Promise<boolean> {
    const [row] = await this.transactions.query<{ more: boolean }>(emptyDeletedRuns, [
      maxRuns,
      maxEventsOfRun,
      names,
    ]);
    return row!.more;
  }
}
