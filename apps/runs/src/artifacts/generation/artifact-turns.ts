import { makeArtifact } from '@aos/contracts';
import { Logger } from '@aos/platform';
import { Inject, Injectable } from '@nestjs/common';
import { ArtifactLeases, type ClaimedArtifact } from './artifact-leases.js';
import { RunsSettings, type RunsConfig } from '../../runs.config.js';
import { FairSlots } from '../../capacity/slots/fair-slots.js';

/**
 * Whose page this process makes next. Teams share its places as they share those for runs: one that wants hundreds leaves
 * some free, and the next that is free goes to the team that has the fewest.
 */
@Injectable()
export class ArtifactTurns {
  /** As many as there are jobs at once, each of which makes one page after the other. */
  private readonly slots = new FairSlots(makeArtifact.concurrency);
  private last: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly leases: ArtifactLeases,
    @Inject(RunsSettings) private readonly settings: RunsConfig,
    private readonly logger: Logger,
  ) {}

  /** One after the other: what one has taken the next must know. */
  next(): Promise<ClaimedArtifact | undefined> {
    const turn = this.last.then(() => this.take());
    this.last = turn;
    return turn;
  }

  end({ artifact }: ClaimedArtifact): void {
    this.slots.release(artifact.team_id);
  }

  /** A job that fails would keep its id: what cannot be taken now is found by the reconciler. */
  private async take(): Promise<ClaimedArtifact | undefined> {
    try {
      const claimed = await this.leases.claimNext(this.slots.sated, this.settings.RUN_LEASE_MS);
      if (claimed) this.slots.tryTake(claimed.artifact.team_id);
      return claimed;
    } catch (error) {
      this.logger.warn({ err: error }, 'claiming an artifact failed');
      return undefined;
    }
  }
}
