/** The part of its lease after which a worker renews it, and after which work that was abandoned is looked for. */
const leaseShare = 4;

/** How often a lease of this length is renewed. */
export function heartbeatMs(leaseMs: number): number {
  return leaseMs / leaseShare;
}

export interface LeaseHeartbeatOptions {
  readonly leaseMs: number;
  /** Moves the end of the lease; false if another worker has it, or its work has ended. */
  readonly renew: () => Promise<boolean>;
  /** The renewal failed. The work goes on until the lease has run out. */
  readonly onFault: (error: unknown) => void;
}

/**
 * Renews one lease while its owner works; the signal fires when it is lost, or was not renewed for as long as it lasts:
 * a worker that is cut off alone stops before another takes over. Its writes are fenced by a token all the same.
 */
export class LeaseHeartbeat {
  private readonly lost = new AbortController();
  private readonly timer: NodeJS.Timeout;
  private expiry: NodeJS.Timeout;
  private renewing = false;

  constructor(private readonly options: LeaseHeartbeatOptions) {
    this.timer = setInterval(() => void this.beat(), heartbeatMs(options.leaseMs));
    this.expiry = this.expire();
  }

  get signal(): AbortSignal {
    return this.lost.signal;
  }

  stop(): void {
    clearInterval(this.timer);
    clearTimeout(this.expiry);
  }

  /** Timers run by a monotonic clock; the lease's new end lies after the moment at which its renewal was sent. */
  private expire(sinceMs = performance.now()): NodeJS.Timeout {
    return setTimeout(() => this.lose(), this.options.leaseMs - (performance.now() - sinceMs));
  }

  /** One at a time: a store that is slow is not asked more often. */
  private async beat(): Promise<void> {
    if (this.renewing) return;
    this.renewing = true;
    const sentAt = performance.now();
    try {
      if (!(await this.options.renew())) return this.lose();
      if (this.lost.signal.aborted) return;
      clearTimeout(this.expiry);
      this.expiry = this.expire(sentAt);
    } catch (error) {
      this.options.onFault(error);
    } finally {
      this.renewing = false;
    }
  }

  /** Gives the lease up: its work was taken away, and nothing more is done. */
  lose(): void {
    this.stop();
    this.lost.abort();
  }
}
