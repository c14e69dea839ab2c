import { BackgroundLoops, Quarantine, type WakeableLoop } from '@aos/background';
import { Logger, Shutdown } from '@aos/platform';
import { Inject, Injectable } from '@nestjs/common';
import { ConnectionSettings, type ConnectionsConfig } from '../config/connections.config.js';
import type { ConnectionEntity } from '../connections/connection.entity.js';
import { RefreshPlaces } from './refresh-places.js';
import { RefreshRepository } from './refresh.repository.js';
import { TokenRefresh } from './token-refresh.js';

/** Providers that hang hold up a few refreshes, not all. */
const limits = { atOnce: 16, ofOneIssuer: 8 };
/** Each look sorts all that is due, which after an outage is much: refreshes that end close together have one. */
const gatherMs = 200;

/** Refreshes tokens before they end, whether or not a run uses them. */
@Injectable()
export class RefreshLoop {
  private readonly failing: Quarantine;
  private readonly places = new RefreshPlaces(limits);
  private readonly inHand = new Set<Promise<void>>();
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
    shutdown.add('drain', 'refreshes in hand', () => this.end());
  }

  /**
   * Takes up what is due and has a place, and does not wait for it: the slowest answer would hold up all others. True if
   * there may be more.
   */
  async beginSome(): Promise<boolean> {
    if (this.places.free <= 0) return false;
    const passedOver = new Set([...this.failing.ids(), ...this.places.ids()]);
    const due = await this.leases.due(this.places.free + passedOver.size, this.places.fullIssuers());
    if (this.isEnding) return false;
    const begun = due.filter((row) => !passedOver.has(row.id) && this.places.take(row));
    for (const row of begun) this.begin(row);
    return begun.length > 0;
  }

  private begin(row: ConnectionEntity): void {
    const work = this.failing
      .each([row], (item) => this.refresh.tryRefresh(item))
      .finally(() => {
        this.places.leave(row.id);
        this.inHand.delete(work);
        this.loop.wake();
      });
    this.inHand.add(work);
  }

  /** Waits for refreshes in flight: with rotation an answer that is not stored loses the connection. */
  private async end(): Promise<void> {
    this.isEnding = true;
    await Promise.all(this.inHand);
  }
}
