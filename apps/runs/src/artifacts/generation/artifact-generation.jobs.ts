import { makeArtifact } from '@aos/contracts';
import { Processes, type JobRun } from '@aos/messaging';
import { BackgroundLoops, heartbeatMs } from '@aos/background';
import { DueRows } from '@aos/persistence';
import { Inject, Injectable } from '@nestjs/common';
import { ArtifactDispatch } from './artifact-dispatch.js';
import { anyUnclaimed } from '../artifacts.sql.js';
import { RunsSettings, type RunsConfig } from '../../runs.config.js';
import { ArtifactGeneration } from './artifact-generation.js';
import { ArtifactClaims } from './artifact-claims.js';

const maxSweepMs = 5_000;

/** Workers that have pages made, and the loop that brings jobs back which Redis or a dead worker has lost. */
@Injectable()
export class ArtifactGenerationJobs {
  constructor(
    private readonly generation: ArtifactGeneration,
    private readonly claims: ArtifactClaims,
    private readonly dispatch: ArtifactDispatch,
    loops: BackgroundLoops,
    dueRows: DueRows,
    @Inject(RunsSettings) settings: RunsConfig,
  ) {
    loops.add({
      name: 'the search for abandoned artifacts',
      idleMs: Math.min(heartbeatMs(settings.RUN_LEASE_MS), maxSweepMs),
      isTimed: true,
      mayHaveWork: () => dueRows.any(anyUnclaimed),
      mayBeLeft: true,
      work: async () => {
        await this.dispatch.reconcile();
        return false;
      },
    });
  }

  /** Makes page after page as long as there is one to claim: which artifact the job names does not matter. */
  @Processes(makeArtifact)
  async run(_job: { artifact_id: string }, run: JobRun): Promise<void> {
    while (!run.signal.aborted) {
      const claimed = await this.claims.claimNext();
      if (!claimed) return;
      try {
        await this.generation.execute(claimed, run);
      } finally {
        this.claims.release(claimed);
      }
    }
  }
}
