import { FairLimiter } from '@aos/background';
import { makeArtifact } from '@aos/contracts';
import { Logger } from '@aos/platform';
import { Inject, Injectable } from '@nestjs/common';
import { ArtifactLeases, type ClaimedArtifact } from './artifact-leases.js';
import { RunsSettings, type RunsConfig } from '../../runs.config.js';

/**
 * Claims the artifacts whose pages this process makes. Teams share its capacity as they share slots for runs: a team that
 * wants hundreds of pages leaves some free, and the next claim is for the team with the fewest pages in progress.
 */
@Injectable()
export class ArtifactClaims {
  /** One for each concurrent job, which makes one page after the other. */
  private readonly limiter = new FairLimiter({ maxConcurrent: makeArtifact.concurrency });
  private last: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly leases: ArtifactLeases,
    @Inject(RunsSettings) private readonly settings: RunsConfig,
    private readonly logger: Logger,
  ) {}

  /** Claims are serial: each leaves out the teams that the one before brought to their limit. */
  claimNext(): Promise<ClaimedArtifact | undefined> {
    const claim = this.last.then(() => this.claim());
    this.last = claim;
    return claim;
  }

  release({ artifact }: ClaimedArtifact): void {
    this.limiter.release(artifact.team_id);
  }

  /** Logs a failure and does not throw: a failed job would keep its id. The reconciler finds the artifact. */
  private async claim(): Promise<ClaimedArtifact | undefined> {
    try {
      const claimed = await this.leases.claimNext(this.limiter.keysAtLimit(), this.settings.RUN_LEASE_MS);
      if (claimed) this.limiter.tryAcquire(claimed.artifact.team_id);
      return claimed;
    } catch (error) {
      this.logger.warn({ err: error }, 'claiming an artifact failed');
      return undefined;
    }
  }
}
