import { BackgroundLoops } from '@aos/background';
import { AppError, deleteRun, hasEnded, type Req, runDeleted } from '@aos/contracts';
import { newEvent, Outbox } from '@aos/events';
import { Handles } from '@aos/messaging';
import { Transactions } from '@aos/persistence';
import { Controller, Inject, Injectable } from '@nestjs/common';
import { deletedEvaluations } from '../../evaluations/run-evaluations.sql.js';
import { expiredSandboxes } from '../../files/sandboxes.sql.js';
import { deletedRequests } from '../../lifecycle/human-requests/human-requests.sql.js';
import { deletedTitles } from '../../lifecycle/run-list/run-page.sql.js';
import { uncountedRuns } from '../../lifecycle/run-list/run-tally.sql.js';
import { deleteEndedRuns, oldEndedRuns } from '../../run-core/changes/run-changes.sql.js';
import { RunsRepository } from '../../run-core/runs.repository.js';
import { type RunsConfig, RunsSettings } from '../../runs.config.js';
import { deletedBrowserRecords } from '../../tools/browser/browser.sql.js';
import { deletedCaseCalls } from '../../tools/cases/case-tools.sql.js';

/** The lowest UUIDv7 of a moment: every id made before is smaller. */
export function idOfTime(timeMs: number): string {
  const hex = Math.max(0, Math.floor(timeMs)).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}

/** Small enough to delay no other statement. */
const maxRuns = 100;
const maxMessages = 5_000;
const dayMs = 24 * 3600 * 1000;

const deleteWithAll = deleteEndedRuns([
  deletedRequests,
  deletedTitles,
  deletedEvaluations,
  deletedBrowserRecords,
  deletedCaseCalls,
  expiredSandboxes,
  uncountedRuns,
]);

/** Deletes runs that have ended, with everything that belongs to them. */
@Injectable()
export class RunDeletion {
  constructor(
    private readonly transactions: Transactions,
    private readonly runs: RunsRepository,
    private readonly outbox: Outbox,
  ) {}

  /** In the operation's transaction. */
  async delete(teamId: string, runId: string): Promise<void> {
    const { status } = await this.runs.lock(teamId, runId);
    if (!hasEnded(status)) {
      throw new AppError('invalid_state', `The run is ${status}; stop it before you delete it.`);
    }
    await this.deleteAll([runId]);
  }

  /** Some of the runs, of all teams, that ended so long ago; true if there may be more. */
  async deleteOld(days: number): Promise<boolean> {
    const old = await this.transactions.query<{ id: string }>(oldEndedRuns, [
      idOfTime(Date.now() - days * dayMs),
      days,
      maxRuns,
      maxMessages,
    ]);
    if (old.length === 0) return false;
    await this.transactions.run(() => this.deleteAll(old.map(({ id }) => id)));
    return true;
  }

  /** Inside a transaction. Another process may have deleted some of them. */
  private async deleteAll(ids: readonly string[]): Promise<void> {
    const gone = await this.transactions.query<{ id: string; team_id: string }>(deleteWithAll, [ids]);
    if (gone.length === 0) return;
    await this.outbox.record(
      ...gone.map(({ id, team_id: teamId }) => newEvent({ event: runDeleted, teamId, data: { run_id: id } })),
    );
  }
}

const lookEveryMs = 60_000;
/** Between batches: what users wait for goes first. */
const pauseMs = 200;

/** Deletes runs that ended longer ago than the operator wants to keep them. */
@Injectable()
export class RunRetention {
  constructor(
    deletion: RunDeletion,
    loops: BackgroundLoops,
    @Inject(RunsSettings) { RUN_RETENTION_DAYS: days }: RunsConfig,
  ) {
    if (days === 0) return;
    loops.add({
      name: 'the retention of runs',
      idleMs: lookEveryMs,
      gatherMs: pauseMs,
      work: () => deletion.deleteOld(days),
    });
  }
}

@Controller()
export class RunDeletionHandlers {
  constructor(private readonly deletion: RunDeletion) {}

  @Handles(deleteRun)
  async deleteRun({ teamId, params }: Req<typeof deleteRun>) {
    await this.deletion.delete(teamId, params.run_id);
    return { success: true as const };
  }
}
