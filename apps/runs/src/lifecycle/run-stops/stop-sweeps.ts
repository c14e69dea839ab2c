import type { RunStopReason } from '@aos/contracts';
import { BackgroundLoops, FailingItems, type WakeableLoop } from '@aos/background';
import { Transactions } from '@aos/persistence';
import { Logger } from '@aos/platform';
import { Injectable } from '@nestjs/common';
import { RunStops } from './run-stops.js';

const batchSize = 100;

export interface StopSweep {
  readonly name: string;
  /** What fails when the stop of one of them does, for the log. */
  readonly what: string;
  readonly idleMs: number;
  readonly gatherMs?: number;
  readonly reason: RunStopReason;
  /** Some of the runs that are to be stopped, without those that could not be. */
  find(limit: number, except: readonly string[]): Promise<readonly { id: string; team_id: string }[]>;
}

/** Loops that stop runs which should have ended: each run in a transaction of its own, so that one that fails does so alone. */
@Injectable()
export class StopSweeps {
  constructor(
    private readonly stops: RunStops,
    private readonly transactions: Transactions,
    private readonly loops: BackgroundLoops,
    private readonly logger: Logger,
  ) {}

  /** To be called while the service is put together. */
  add({ name, what, idleMs, gatherMs, reason, find }: StopSweep): WakeableLoop {
    const failing = new FailingItems(this.logger, what);
    return this.loops.add({
      ...{ name, idleMs, gatherMs },
      work: async () => {
        const runs = await find(batchSize, failing.ids());
        await failing.each(runs, ({ id, team_id: teamId }) =>
          this.transactions.run(() => this.stops.stop(teamId, id, reason)),
        );
        return runs.length === batchSize;
      },
    });
  }
}
