import { runStopped } from '@aos/contracts';
import { Broadcasts } from '@aos/messaging';
import { BackgroundLoops, heartbeatMs } from '@aos/background';
import { TransientMap } from '@aos/platform';
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { RunLost } from '../run-core/claims/lease.js';
import { RunLeasesRepository, type LeaseKey } from '../run-core/claims/run-leases.repository.js';
import { RunsSettings, type RunsConfig } from '../runs.config.js';

interface WatchedLease extends LeaseKey {
  readonly lost: AbortController;
  /** By the monotonic clock: a step of the wall clock neither drops nor prolongs a lease. */
  renewedAt: number;
}

export interface Lease {
  /** Aborted with `RunLost` when the run is no longer this worker's. */
  readonly signal: AbortSignal;
  release(): void;
}

/** A run that was stopped is noticed after this time even if Redis lost the broadcast. */
const lookEveryMs = 700;

/** The leases of the runs that this process works on: renews them, and notices when one is taken away. */
@Injectable()
export class RunLeases implements OnApplicationBootstrap {
  /** By token: a run that this process lost and claimed again has two for a while, and both are watched. */
  private readonly leases = new TransientMap<string, WatchedLease>();

  constructor(
    private readonly repository: RunLeasesRepository,
    private readonly broadcasts: Broadcasts,
    loops: BackgroundLoops,
    @Inject(RunsSettings) private readonly settings: RunsConfig,
  ) {
    // Apart: a renewal must not wait for a check, whose read may be behind one that takes long.
    this.addLoop(loops, 'the renewal of the leases of runs', () => this.renewDue());
    this.addLoop(loops, 'the watch over the leases of runs', () => this.check());
  }

  onApplicationBootstrap(): void {
    this.broadcasts.listen(runStopped, ({ run_id: runId }) => {
      for (const lease of this.leases.values()) if (lease.runId === runId) this.lose(lease);
    });
  }

  hold(runId: string, token: string): Lease {
    const lease: WatchedLease = { runId, token, lost: new AbortController(), renewedAt: performance.now() };
    this.leases.set(token, lease);
    return { signal: lease.lost.signal, release: () => this.leases.delete(token) };
  }

  private addLoop(loops: BackgroundLoops, name: string, work: () => Promise<void>): void {
    loops.add({
      name,
      ofProcess: true,
      idleMs: lookEveryMs,
      // After the workers, which need their leases to the end.
      until: 'close',
      work: async () => {
        this.loseExpired();
        await work();
        return false;
      },
    });
  }

  private olderThan(ms: number): WatchedLease[] {
    const now = performance.now();
    return [...this.leases.values()].filter(({ renewedAt }) => now - renewedAt >= ms);
  }

  private async renewDue(): Promise<void> {
    const due = this.olderThan(heartbeatMs(this.settings.RUN_LEASE_MS));
    if (due.length === 0) return;
    const asked = performance.now();
    const ours = await this.repository.renew(due, this.settings.RUN_LEASE_MS);
    for (const lease of due) {
      if (ours.has(lease.token)) lease.renewedAt = asked;
      else this.lose(lease);
    }
  }

  private async check(): Promise<void> {
    const watched = this.olderThan(lookEveryMs / 2);
    if (watched.length === 0) return;
    const ours = await this.repository.check(watched);
    for (const lease of watched) if (!ours.has(lease.token)) this.lose(lease);
  }

  /** Without the database no worker knows whether it has the run; one that was frozen for long must not go on. */
  private loseExpired(): void {
    for (const lease of this.olderThan(this.settings.RUN_LEASE_MS)) this.lose(lease);
  }

  private lose(lease: WatchedLease): void {
    // A worker that has let go of the run in the meantime has lost nothing.
    if (this.leases.has(lease.token)) lease.lost.abort(new RunLost(lease.runId));
  }
}
