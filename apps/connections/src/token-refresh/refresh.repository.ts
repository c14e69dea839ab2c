import { newId, Transactions } from '@aos/persistence';
import { Inject, Injectable } from '@nestjs/common';
import { ConnectionSettings, type ConnectionsConfig } from '../config/connections.config.js';
import { ConnectionEntity } from '../connections/connection.entity.js';
import { claimRefresh, dueRefreshes, postponeRefresh } from '../connections/refresh.sql.js';

/** The right to ask a provider for new tokens. */
export interface RefreshLease {
  readonly id: string;
  /** Whether one before it died while it asked. */
  readonly isInterrupted: boolean;
}

@Injectable()
export class RefreshRepository {
  constructor(
    private readonly transactions: Transactions,
    @Inject(ConnectionSettings) private readonly settings: ConnectionsConfig,
  ) {}

  async claim(row: ConnectionEntity): Promise<RefreshLease | undefined> {
    const id = newId();
    const [claimed] = await this.transactions.query<{ refresh_interrupted: boolean }>(claimRefresh, [
      row.id,
      row.team_id,
      row.credentials_version,
      id,
      this.settings.OAUTH_REFRESH_LEASE_MS,
    ]);
    return claimed && { id, isInterrupted: claimed.refresh_interrupted };
  }

  /**
   * The teams take turns, lest the many connections of one whose server is slow hold up those of the others. Those of the
   * issuers that are named are left out.
   */
  due(count: number, withoutIssuers: readonly string[] = []): Promise<ConnectionEntity[]> {
    return this.transactions.query<ConnectionEntity>(dueRefreshes, [count, withoutIssuers]);
  }

  async postpone(row: ConnectionEntity, lease: RefreshLease, pauseMs: number): Promise<void> {
    const failures = row.refresh_failures + 1;
    await this.transactions.query(postponeRefresh, [row.id, row.team_id, lease.id, failures, pauseMs]);
  }
}
