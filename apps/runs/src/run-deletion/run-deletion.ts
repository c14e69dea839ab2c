import { AppError, hasEnded, runDeleted } from '@aos/contracts';
import { newEvent, Outbox } from '@aos/events';
import { Transactions } from '@aos/persistence';
import { Injectable } from '@nestjs/common';
import { deletedBrowserRecords } from '../browser/browser.sql.js';
import { deletedCaseCalls } from '../case-tools/case-tools.sql.js';
import { deletedEvaluations } from '../evaluations/run-evaluations.sql.js';
import { deletedRequests } from '../human-requests/human-requests.sql.js';
import { deleteEndedRuns, oldEndedRuns } from '../run-core/run-deletion.sql.js';
import { RunsRepository } from '../run-core/runs.repository.js';
import { uncountedRuns } from '../run-list/run-tally.sql.js';
import { deletedTitles } from '../run-list/run-titles.sql.js';
import { expiredSandboxes } from '../sandboxes/sandboxes.sql.js';
import { idOfTime } from './id-of-time.js';

/** What one statement deletes: small enough to hold up no other statement. */
const mostRuns = 100;
const mostMessages = 5_000;
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
      mostRuns,
      mostMessages,
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
