import {
  AppError,
  cancelsApprovals,
  grants,
  runCompleted,
  runStopped,
  type Principal,
  type RunStopReason,
} from '@aos/contracts';
import { Broadcasts } from '@aos/messaging';
import { Transactions } from '@aos/persistence';
import { Injectable } from '@nestjs/common';
import { HumanRequestSettling } from '../human-requests/human-request-settling.js';
import { RunEvents } from '../../run-core/records/run-events.js';
import { RunChanges } from '../../run-core/changes/run-changes.js';
import { changeBy, openStatuses } from '../../run-core/run-state.js';
import type { RunEntity } from '../../run-core/run.entity.js';
import { factsOf } from '../../run-core/run.mapper.js';
import { RunsRepository } from '../../run-core/runs.repository.js';

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
