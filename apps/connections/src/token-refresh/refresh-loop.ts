import { BackgroundLoops, FailingItems } from '@aos/background';
import { Logger } from '@aos/platform';
import { Inject, Injectable } from '@nestjs/common';
import { ConnectionSettings, type ConnectionsConfig } from '../config/connections.config.js';
import { RefreshRepository } from './refresh.repository.js';
import { TokenRefresh } from './token-refresh.js';

/** Providers that hang hold up a few refreshes, not all. */
const atOnce = 16;

/** Refreshes tokens before they end, whether or not a run uses them. */
@Injectable()
export class RefreshLoop {
  private readonly failing: FailingItems;

  constructor(
    private readonly leases: RefreshRepository,
    private readonly refresh: TokenRefresh,
    @Inject(ConnectionSettings) settings: ConnectionsConfig,
    logger: Logger,
    loops: BackgroundLoops,
  ) {
    this.failing = new FailingItems(logger, 'the refresh of a token');
    loops.add({
      name: 'the refresh of tokens',
      idleMs: settings.OAUTH_REFRESH_EVERY_MS,
      isTimed: true,
      work: () => this.refreshSome(),
    });
  }

  /** True if there may be more. */
  async refreshSome(): Promise<boolean> {
    const resting = new Set(this.failing.ids());
    const due = (await this.leases.due(atOnce + resting.size)).filter(({ id }) => !resting.has(id));
    const items = due.slice(0, atOnce);
    await Promise.all(items.map((item) => this.failing.each([item], (row) => this.refresh.tryRefresh(row))));
    return items.length === atOnce;
  }
}
