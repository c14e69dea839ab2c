/** The part of its lease after which a worker renews it, and after which work that was abandoned is looked for. */
const leaseShare = 4;

/** How often a lease of this length is renewed. */
export function heartbeatMs(leaseMs: number): number {
  return leaseMs / leaseShare;
}

export interface LeaseHeartbeatOptions {
  readonly leaseMs: number;
  /** Moves the end of the lease; false if another worker has it, or what it is for has ended. */
  readonly renew: () => Promise<boolean>;
  /** The store did not answer. No other worker can take the lease without it either, so the work goes on. */
  readonly onFault: (error: unknown) => void;
}

/** Renews one lease while its owner works; the signal fires when it is lost. Its writes are fenced by a token all the same. */
export class LeaseHeartbeat {
  private readonly lost = new AbortController();
  private readonly timer: NodeJS.Timeout;
  private renewing = false;

  constructor(private readonly options: LeaseHeartbeatOptions) {
    this.timer = setInterval(() => void this.beat(), heartbeatMs(options.leaseMs));
  }

  get signal(): AbortSignal {
    return this.lost.signal;
  }

  stop(): void {
    clearInterval(this.timer);
  }

  /** One at a time: a store that is slow is not asked more often. */
  private async beat(): Promise<void> {
    if (this.renewing) return;
    this.renewing = true;
    try {
      if (!(await this.options.renew())) this.lose();
    } catch (error) {
      this.options.onFault(error);
    } finally {
      this.renewing = false;
    }
  }

  /** What the lease is for has been taken away: nothing more is done. */
  lose(): void {
    this.stop();
    this.lost.abort();
  }
}
