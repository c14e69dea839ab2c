import type { Logger } from '@aos/platform';
import { LeaseLost, type BuilderRunLeases, type Lease } from './builder-run-leases.js';

/** The part of the lease after which it is renewed, and after which abandoned runs are looked for. */
export const leaseShare = 4;

/** Renews a lease while its owner works; the signal fires when it is gone. */
export class LeaseHeartbeat {
  private readonly lost = new AbortController();
  private readonly timer: NodeJS.Timeout;

  constructor(
    private readonly leases: BuilderRunLeases,
    readonly lease: Lease,
    private readonly leaseMs: number,
    private readonly logger: Logger,
  ) {
    this.timer = setInterval(() => void this.renew(), leaseMs / leaseShare);
  }

  get signal(): AbortSignal {
    return this.lost.signal;
  }

  stop(): void {
    clearInterval(this.timer);
  }

  private async renew(): Promise<void> {
    try {
      await this.leases.renew(this.lease, this.leaseMs);
    } catch (error) {
      if (error instanceof LeaseLost) this.lost.abort(error);
      // No other worker can take the run over without the database either.
      else this.logger.warn({ err: error }, 'the lease of a builder run was not renewed');
    }
  }
}
