import { BackgroundLoops, FairLimiter, Quarantine, type WakeableLoop } from '@aos/background';
import { Logger, Shutdown } from '@aos/platform';
import { Inject, Injectable } from '@nestjs/common';
import { ConnectionSettings, type ConnectionsConfig } from '../config/connections.config.js';
import type { ConnectionEntity } from '../connections/connection.entity.js';
import { RefreshRepository } from './refresh.repository.js';
import { TokenRefresh } from './token-refresh.js';

/** By issuer: an authorization server that hangs holds up half of the refreshes, not all. */
const limits = { maxConcurrent: 16, maxPerKey: 8, shareFactor: Infinity };
/** Each look sorts all due rows, many after an outage: refreshes that end close together share one look. */
const gatherMs = 200;

/** Refreshes tokens before they end, whether or not a run uses them. */
@Injectable()
export class RefreshLoop {
  private readonly failing: Quarantine;
  private readonly limiter = new FairLimiter(limits);
  private readonly inProgress = new Map<string, Promise<void>>();
  private readonly loop: WakeableLoop;
  private isEnding = false;

  constructor(
    private readonly leases: RefreshRepository,
    private readonly refresh: TokenRefresh,
    @Inject(ConnectionSettings) settings: ConnectionsConfig,
    logger: Logger,
    loops: BackgroundLoops,
    shutdown: Shutdown,
  ) {
    this.failing = new Quarantine(logger, 'the refresh of a token');
    this.loop = loops.add({
      name: 'the refresh of tokens',
      idleMs: settings.OAUTH_REFRESH_EVERY_MS,
      isTimed: true,
      gatherMs,
      work: () => this.beginSome(),
    });
    shutdown.add('drain', 'refreshes in progress', () => this.end());
  }

  /**
   * Starts due refreshes within the limits and does not wait for them: the slowest answer would hold up all others. True
   * if there may be more.
   */
  async beginSome(): Promise<boolean> {
    const { free } = this.limiter;
    if (free === 0) return false;
    const failing = new Set(this.failing.ids());
    const count = free + failing.size + this.inProgress.size;
    const due = await this.leases.due(count, this.limiter.keysAtLimit());
    if (this.isEnding) return false;
    const begun = due.filter(
      ({ id, oauth }) =>
        !failing.has(id) && !this.inProgress.has(id) && this.limiter.tryAcquire(issuerOf(oauth)),
    );
    for (const row of begun) this.begin(row);
    return begun.length > 0;
  }

  private begin(row: ConnectionEntity): void {
    const issuer = issuerOf(row.oauth);
    const work = this.failing
      .each([row], (item) => this.refresh.tryRefresh(item))
      .finally(() => {
        this.limiter.release(issuer);
        this.inProgress.delete(row.id);
        this.loop.wake();
      });
    this.inProgress.set(row.id, work);
  }

  /** Waits for refreshes in flight: with rotation an answer that is not stored loses the connection. */
  private async end(): Promise<void> {
    this.isEnding = true;
    await Promise.all(this.inProgress.values());
  }
}

/** Empty for a connection without an authorization server, as in `dueRefreshes`. */
function issuerOf(oauth: ConnectionEntity['oauth']): string {
  return oauth?.server.issuer ?? '';
}
