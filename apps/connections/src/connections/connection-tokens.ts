import { Injectable } from '@nestjs/common';
import { Transactions } from '@aos/persistence';
import type { OAuthClient, OAuthSetup } from '../oauth-client/authorization-server.js';
import type { Tokens } from '../oauth-client/token-answer.js';
import { ConnectionEvents } from './connection-events.js';
import { ConnectionSecrets, type StoredTokens } from './connection-secrets.js';
import type { ConnectionEntity } from './connection.entity.js';
import { ConnectionsRepository, unchanged, type ConnectionChanges } from './connections.repository.js';
import { tokenTimes } from './token-times.js';

export interface Consent {
  readonly tokens: Tokens;
  readonly oauth: OAuthSetup;
  readonly clientSecret?: string;
  readonly scopes: readonly string[];
  readonly serverUrl: string;
}

/** Stores the tokens of a connection after a consent or a refresh, or marks them as broken. */
@Injectable()
export class ConnectionTokens {
  constructor(
    private readonly connections: ConnectionsRepository,
    private readonly secrets: ConnectionSecrets,
    private readonly events: ConnectionEvents,
    private readonly transactions: Transactions,
  ) {}

  /** A person has consented. Inside a transaction; nothing if the connection is gone. */
  async consented(teamId: string, id: string, consent: Consent): Promise<ConnectionEntity | undefined> {
    const present = await this.connections.lock(teamId, id);
    if (!present) return undefined;
    const { tokens, oauth, clientSecret, scopes, serverUrl } = consent;
    const row = await this.connections.update(
      { id, team_id: teamId },
      {
        ...this.stored(present, tokens, undefined),
        status: 'active',
        broken_at: null,
        broken_reason: null,
        is_draft: false,
        auth_method: 'oauth',
        server_url: serverUrl,
        sealed_path: null,
        oauth,
        sealed_client_secret: this.secrets.sealClientSecret(id, clientSecret),
        oauth_scopes: scopesOf(tokens.scope) ?? [...scopes],
        required_scopes: [],
      },
    );
    await this.events.updated(row!);
    return row;
  }

  /**
   * A refresh has been answered. What the provider gave is kept whichever replica holds the lease by now, for with rotation the
   * old token is worth nothing; unless the connection has other credentials since. `client` is whom they were given to.
   */
  async refreshed(
    present: ConnectionEntity,
    tokens: Tokens,
    former: StoredTokens,
    { client_id, auth }: OAuthClient,
  ): Promise<boolean> {
    const scopes = scopesOf(tokens.scope);
    const row = await this.connections.update(unchanged(present), {
      ...this.stored(present, tokens, former.refresh_token),
      oauth: { ...present.oauth!, client_id, client_auth: auth },
      ...(scopes ? { oauth_scopes: scopes } : {}),
    });
    return row !== undefined;
  }

  /** They work no longer, and only a person can mend that. `leaseId`: of the refresh that was refused. */
  async broken(present: ConnectionEntity, reason: string, leaseId?: string): Promise<void> {
    await this.transactions.run(async () => {
      const where = { ...unchanged(present), status: 'active' as const };
      const row = await this.connections.update(leaseId ? { ...where, refresh_lease_id: leaseId } : where, {
        status: 'broken',
        broken_at: () => 'now()',
        broken_reason: reason,
        refresh_at: null,
        ...noLease,
      });
      if (row) await this.events.actionRequired(row, reason);
    });
  }

  /** The server wants more than was consented to; told once for each scope that is new. */
  async scopesRequired(present: ConnectionEntity, asked: readonly string[]): Promise<void> {
    await this.transactions.run(async () => {
      const row = await this.connections.lock(present.team_id, present.id);
      if (!row || row.credentials_version !== present.credentials_version) return;
      const missing = asked.filter(
        (scope) => !row.oauth_scopes.includes(scope) && !row.required_scopes.includes(scope),
      );
      if (missing.length === 0) return;
      const required = [...row.required_scopes, ...missing].slice(0, 100);
      const changed = await this.connections.update(unchanged(row), { required_scopes: required });
      await this.events.actionRequired(
        changed!,
        `The server asks for more: ${required.join(' ')}. Connect again.`,
      );
    });
  }

  private stored(
    { id, credentials_version: version }: ConnectionEntity,
    tokens: Tokens,
    formerRefreshToken: string | undefined,
  ): ConnectionChanges {
    // A provider that does not rotate tells the refresh token once.
    const refreshToken = tokens.refreshToken ?? formerRefreshToken;
    const times = tokenTimes(tokens.expiresIn, refreshToken !== undefined);
    return {
      sealed_tokens: this.secrets.sealTokens(id, {
        access_token: tokens.accessToken,
        refresh_token: refreshToken,
      }),
      credentials_version: version + 1,
      token_obtained_at: () => 'now()',
      token_stale_at: fromNow(times.staleMs),
      token_expires_at: fromNow(times.expiresMs),
      refresh_at: fromNow(times.refreshMs),
      refresh_failures: 0,
      refresh_interrupted: false,
      ...noLease,
    };
  }
}

export const noLease = { refresh_lease_id: null, refresh_lease_until: null };

/** By the clock of Postgres, which all workers share. */
function fromNow(ms: number | null): null | (() => string) {
  return ms === null ? null : () => `now() + interval '${Math.round(ms)} milliseconds'`;
}

/** Some write commas. */
export function scopesOf(scope: string | undefined): string[] | undefined {
  const scopes = scope?.split(/[\s,]+/).filter((name) => name !== '');
  return scopes && scopes.length > 0 ? [...new Set(scopes)] : undefined;
}
