import { makeArtifact } from '@aos/contracts';
import { Processes, type JobRun } from '@aos/messaging';
import { BackgroundLoops, heartbeatMs } from '@aos/background';
import { Inject, Injectable } from '@nestjs/common';
import { ArtifactDispatch } from '../artifact-core/artifact-dispatch.js';
import { RunsSettings, type RunsConfig } from '../runs.config.js';
import { ArtifactGeneration } from './artifact-generation.js';

const longestSweepMs = 5_000;

/** Workers that have pages made, and the loop that brings jobs back which Redis or a dead worker has lost. */
@Injectable()
export class ArtifactGenerationJobs {
  constructor(
    private readonly generation: ArtifactGeneration,
    private readonly dispatch: ArtifactDispatch,
    loops: BackgroundLoops,
    @Inject(RunsSettings) settings: RunsConfig,
  ) {
    loops.add({
      name: 'the search for abandoned artifacts',
      idleMs: Math.min(heartbeatMs(settings.RUN_LEASE_MS), longestSweepMs),
      mayBeLeft: true,
      work: async () => {
        await this.dispatch.reconcile();
        return false;
      },
    });
  }

  @Processes(makeArtifact)
  async run({ artifact_id: artifactId }: { artifact_id: string }, job: JobRun): Promise<void> {
    await this.generation.execute(artifactId, job);
  }
}
