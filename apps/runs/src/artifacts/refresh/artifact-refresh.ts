import { BackgroundLoops } from '@aos/background';
import { AppError } from '@aos/contracts';
import { DueRows, newId, Transactions } from '@aos/persistence';
import { Inject, Injectable } from '@nestjs/common';
import { type RunsConfig, RunsSettings } from '../../runs.config.js';
import { isBusy } from '../artifact-state.js';
import type { ArtifactEntity } from '../artifact.entities.js';
import { ArtifactsRepository } from '../artifacts.repository.js';
import { anyArtifactDue, takeDueArtifacts } from '../artifacts.sql.js';
import { ArtifactDispatch } from '../generation/artifact-dispatch.js';
import { ArtifactPermits } from '../generation/artifact-permits.js';
import { nextRefresh } from './refresh-times.js';

const batchSize = 20;
/** As schedules of agents are: one that fails again and again is of no use to anybody. */
const maxFailures = 10;

/** With the time at which it was due: by another clock than that one a time could be missed, or come twice. */
type DueArtifact = ArtifactEntity & { readonly looked_at: Date };

/**
 * Has artifacts made anew when they are due. In one transaction an artifact is taken, asked for and given its next time, so
 * that of several replicas one refreshes it; what was missed comes once.
 */
@Injectable()
export class ArtifactRefresh {
  constructor(
    private readonly artifacts: ArtifactsRepository,
    private readonly permits: ArtifactPermits,
    private readonly dispatch: ArtifactDispatch,
    private readonly transactions: Transactions,
    loops: BackgroundLoops,
    dueRows: DueRows,
    @Inject(RunsSettings) settings: RunsConfig,
  ) {
    loops.add({
      name: 'the refreshing of artifacts',
      idleMs: settings.ARTIFACT_REFRESH_SWEEP_MS,
      isTimed: true,
      mayHaveWork: () => dueRows.any(anyArtifactDue),
      work: () => this.refreshDue(),
    });
  }

  /** True if there may be more. */
  async refreshDue(): Promise<boolean> {
    return this.transactions.run(async () => {
      const due = await this.transactions.query<DueArtifact>(takeDueArtifacts, [batchSize]);
      for (const artifact of due) await this.refresh(artifact);
      return due.length === batchSize;
    });
  }

  private async refresh(artifact: DueArtifact): Promise<void> {
    const { id, team_id: teamId, refresh_frequency: frequency, failed_refreshes: failures } = artifact;
    if (frequency === null || failures >= maxFailures) {
      await this.artifacts.update(id, { refresh_frequency: null, next_refresh_at: null });
      return;
    }
    await this.artifacts.update(id, {
      next_refresh_at: nextRefresh(frequency, artifact.next_refresh_at!, artifact.looked_at),
    });
    // One that is busy is as new as it would be; one that may not be made has its turn when it may again.
    if (isBusy(artifact.status) || !(await this.mayMake(teamId))) return;
    const asked = await this.artifacts.move(id, 'request', {
      request: 'refresh',
      is_scheduled: true,
      attempts: 0,
      error: null,
      lease_token: null,
      lease_until: null,
      job_id: newId(),
    });
    if (asked) this.dispatch.addAfterCommit(asked);
  }

  private async mayMake(teamId: string): Promise<boolean> {
    try {
      await this.permits.assertMayMake(teamId);
      return true;
    } catch (error) {
      if (error instanceof AppError) return false;
      throw error;
    }
  }
}
