import { BackgroundLoops, Quarantine, type WakeableLoop } from '@aos/background';
import {
  AppError,
  cancelsApprovals,
  grants,
  type Principal,
  runCompleted,
  runStopped,
  type RunStopReason,
} from '@aos/contracts';
import { Broadcasts } from '@aos/messaging';
import { Transactions } from '@aos/persistence';
import { Logger } from '@aos/platform';
import { Injectable } from '@nestjs/common';
import { RunChanges } from '../../run-core/changes/run-changes.js';
import { RunEvents } from '../../run-core/records/run-events.js';
import { changeBy, openStatuses } from '../../run-core/run-state.js';
import type { RunEntity } from '../../run-core/run.entity.js';
import { factsOf } from '../../run-core/run.mapper.js';
import { RunsRepository } from '../../run-core/runs.repository.js';
import { HumanRequestSettling } from '../human-requests/human-request-settling.js';

/** Stops runs in any open status, together with their sub-runs. Notifies the worker and revokes its lease. */
@Injectable()
export class RunStops {
  constructor(
    private readonly runs: RunsRepository,
    private readonly changes: RunChanges,
    private readonly events: RunEvents,
    private readonly requests: HumanRequestSettling,
    private readonly transactions: Transactions,
    private readonly broadcasts: Broadcasts,
  ) {}

  /** In the open transaction; false if it had ended already. `requester` is the caller who asked for it, if one did. */
  async stop(
    teamId: string,
    runId: string,
    reason: RunStopReason,
    requester?: Principal,
  ): Promise<{ run: RunEntity; stopped: boolean }> {
    const run = await this.runs.lock(teamId, runId);
    if (!openStatuses.includes(run.status)) return { run, stopped: false };
    if (
      requester &&
      !grants(requester.scopes, cancelsApprovals) &&
      (await this.requests.hasPendingApproval(run))
    )
      throw new AppError(
        'insufficient_scope',
        `Run ${runId} waits for an approval. Cancelling an approval needs the scope ${cancelsApprovals}.`,
      );
    const cancelled = await this.requests.cancelPending(run);
    const data = factsOf(run, { status: 'stopped', result: run.result });
    await this.changes.apply({
      runId,
      ...changeBy('stop'),
      stopReason: reason,
      closesStep: 'cancelled',
      messages: cancelled.messages,
      events: [...cancelled.events, ...this.events.publicEvent({ event: runCompleted, teamId, data })],
    });
    this.transactions.afterCommit(() => this.broadcasts.send(runStopped, [{ run_id: runId }]));
    for (const subRunId of await this.runs.openSubRuns(teamId, runId))
      await this.stop(teamId, subRunId, 'parent_stopped', requester);
    return { run, stopped: true };
  }
}

const batchSize = 100;

export interface StopSweep {
  readonly name: string;
  /** The name of the sweep, for the log. */
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
    const failing = new Quarantine(this.logger, what);
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
