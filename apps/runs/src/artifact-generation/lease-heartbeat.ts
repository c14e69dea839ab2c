import type { Logger } from '@aos/platform';
import { LeaseLost, type ArtifactLeases, type Lease } from '../artifact-core/artifact-leases.js';
import { leaseShare } from '../run-core/lease.js';

/** Renews a lease while its owner works; the signal fires when it is gone. */
export class LeaseHeartbeat {
  private readonly lost = new AbortController();
  private readonly timer: NodeJS.Timeout;

  constructor(
    private readonly leases: ArtifactLeases,
    private readonly lease: Lease,
    private readonly leaseMs: number,
    private readonly logger: Logger,
  ) {
    this.timer = setInterval(() => void this.renew(), leaseMs / leaseShare);
  }

  get signal(): AbortSignal {
    return this.lost.signal;
  }

  /** It was taken away: nothing more is done. */
  end(): void {
    this.lost.abort(new LeaseLost(this.lease.artifactId));
  }

  stop(): void {
    clearInterval(this.timer);
  }

  private async renew(): Promise<void> {
    try {
      await this.leases.renew(this.lease, this.leaseMs);
    } catch (error) {
      if (error instanceof LeaseLost) this.lost.abort(error);
      // No other worker can take it over without the database either.
      else this.logger.warn({ err: error }, 'the lease of an artifact was not renewed');
    }
  }
}
