import { setTimeout as delay } from 'node:timers/promises';
import { AppError } from '@aos/contracts';
import { Logger, Metrics } from '@aos/platform';
import { Injectable } from '@nestjs/common';
import { ConnectionSecrets, type StoredTokens } from '../connections/connection-secrets.js';
import { ConnectionTokens } from '../connections/connection-tokens.js';
import type { ConnectionEntity } from '../connections/connection.entity.js';
import { ConnectionsRepository } from '../connections/connections.repository.js';
import { OAuthSetups } from '../connections/oauth-setups.js';
import { refreshPauseMs } from '../connections/token-times.js';
import { OAuthCalls } from '../oauth-client/oauth-calls.js';
import { OAuthFailure } from '../oauth-client/oauth-failure.js';
import { refreshFault, type RefreshFault } from './refresh-fault.js';
import { RefreshRepository, type RefreshLease } from './refresh.repository.js';

/** refreshed: it has other tokens · broken: it has none that work · away: the provider gave none, later it may. */
export type RefreshOutcome = 'refreshed' | 'broken' | 'away';

const pollMs = 50;
/** As long as a caller waits for another worker's refresh. */
const patienceMs = 8_000;

/** Gets new tokens: of all workers one asks, the others wait for what it gets. */
@Injectable()
export class TokenRefresh {
  private readonly outcomes;

  constructor(
    private readonly leases: RefreshRepository,
    private readonly connections: ConnectionsRepository,
    private readonly secrets: ConnectionSecrets,
    private readonly tokens: ConnectionTokens,
    private readonly setups: OAuthSetups,
    private readonly calls: OAuthCalls,
    private readonly logger: Logger,
    metrics: Metrics,
  ) {
    this.outcomes = metrics.counter({
      name: 'aos_token_refreshes_total',
      help: 'Refreshes of OAuth tokens, by what came of them',
      labelNames: ['outcome'],
    });
  }

  /** As `tryRefresh`; if another worker is at it, what that one comes to. */
  async refresh(row: ConnectionEntity): Promise<RefreshOutcome> {
    const outcome = await this.tryRefresh(row);
    return outcome ?? this.waitForAnother(row);
  }

  /** Nothing if another worker is at it, or has done it. */
  async tryRefresh(row: ConnectionEntity): Promise<RefreshOutcome | undefined> {
    const lease = await this.leases.claim(row);
    if (!lease) return undefined;
    const outcome = await this.ask(row, lease);
    this.outcomes.inc({ outcome });
    return outcome;
  }

  private async ask(row: ConnectionEntity, lease: RefreshLease): Promise<RefreshOutcome> {
    let isReplaced = false;
    try {
      const former = this.secrets.tokensOf(row)!;
      if (former.refresh_token === undefined) return await this.break(row, lease, noRefreshToken);
      const source = this.setups.of(row);
      ({ isReplaced } = source);
      const { server, client, resource } = source;
      const tokens = await this.calls.refresh(server, client, former.refresh_token, resource);
      await this.tokens.refreshed(row, tokens, former satisfies StoredTokens, client);
      return 'refreshed';
    } catch (error) {
      if (!(error instanceof OAuthFailure || error instanceof AppError)) throw error;
      const fault = refreshFault(row, error, isReplaced);
      if (fault === 'consent')
        return this.break(row, lease, isReplaced ? replacedClient : reasonOf(error, lease));
      await this.leases.postpone(row, lease, refreshPauseMs(row.refresh_failures + 1));
      this.logFailed(row, error, fault);
      return 'away';
    }
  }

  private logFailed(
    { id, provider, oauth, refresh_failures: before }: ConnectionEntity,
    { message: reason }: Error,
    fault: Exclude<RefreshFault, 'consent'>,
  ): void {
    const fields = { connection_id: id, provider, reason, failures: before + 1 };
    if (fault === 'passing')
      this.logger.warn(fields, 'a token could not be refreshed and will be tried again');
    else this.logger.error({ ...fields, consented_client_id: oauth?.client_id }, ofOperator[fault]);
  }

  private async break(row: ConnectionEntity, lease: RefreshLease, reason: string): Promise<'broken'> {
    await this.tokens.broken(row, reason, lease.id);
    return 'broken';
  }

  private async waitForAnother(row: ConnectionEntity): Promise<RefreshOutcome> {
    const deadline = performance.now() + patienceMs;
    while (performance.now() < deadline) {
      const found = await this.connections.findWithTime(row.team_id, row.id);
      if (found?.row.status !== 'active') return 'broken';
      const { row: present, now } = found;
      if (present.credentials_version !== row.credentials_version) return 'refreshed';
      if (present.refresh_lease_until === null) return 'away';
      if (present.refresh_lease_until < now) {
        const outcome = await this.tryRefresh(present);
        if (outcome) return outcome;
      }
      await delay(pollMs);
    }
    return 'away';
  }
}

/** Faults that only the operator can fix. */
const ofOperator = {
  client: 'the client that is configured for a provider is not taken',
  replacement:
    'the client that is configured for a provider is not the one that was consented to, and is refused',
};

/** The provider knows the client that is configured now, and has no consent to it. */
const replacedClient =
  'The operator has replaced the client that was consented to, and the token has ended. Connect again.';
const noRefreshToken = 'The token has ended, and the provider gave none to refresh it with. Connect again.';

/** A refusal after a lost answer has a cause that the person who connects again should not look for elsewhere. */
function reasonOf({ message }: Error, { isInterrupted }: RefreshLease): string {
  const lost = 'An earlier answer was lost when a process ended, and the provider does not repeat it.';
  return isInterrupted ? `${message} ${lost} Connect again.` : `${message} Connect again.`;
}
