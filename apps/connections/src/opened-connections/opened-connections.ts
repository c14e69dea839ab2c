import type { OpenConnection } from '@aos/contracts';
import { AppError } from '@aos/contracts';
import { Injectable } from '@nestjs/common';
import { ConnectionSecrets } from '../connections/connection-secrets.js';
import { ConnectionTokens } from '../connections/connection-tokens.js';
import type { ConnectionEntity } from '../connections/connection.entity.js';
import { ConnectionsRepository } from '../connections/connections.repository.js';
import { Providers } from '../providers/providers.js';
import { TokenRefresh } from '../token-refresh/token-refresh.js';

export type Opened =
  | { readonly ok: true; readonly connection: OpenConnection }
  | {
      readonly ok: false;
      readonly id: string;
      readonly name: string | null;
      readonly obstacle: 'unknown' | 'pending' | 'broken' | 'unavailable';
      readonly message: string;
    };

/** A token this young that is refused will not be taken by another refresh. */
const youngMs = 60_000;

/** Connections as those who call their servers need them. */
@Injectable()
export class OpenedConnections {
  constructor(
    private readonly connections: ConnectionsRepository,
    private readonly secrets: ConnectionSecrets,
    private readonly tokens: ConnectionTokens,
    private readonly refresh: TokenRefresh,
    private readonly providers: Providers,
  ) {}

  async open(teamId: string, id: string): Promise<Opened> {
    const found = await this.connections.findWithTime(teamId, id);
    if (!found)
      return { ok: false, id, name: null, obstacle: 'unknown', message: 'There is no such connection.' };
    try {
      return await this.fresh(found.row, found.now);
    } catch (error) {
      if (error instanceof AppError) return obstacle(found.row, 'unavailable', error.message);
      throw error;
    }
  }

  /** Whether it is worth to open the connection again, and to try again. */
  async unauthorized(teamId: string, id: string, version: number): Promise<boolean> {
    const found = await this.connections.findWithTime(teamId, id);
    if (found?.row.status !== 'active') return false;
    const { row, now } = found;
    if (row.credentials_version !== version) return true;
    const isYoung =
      row.token_obtained_at !== null && now.getTime() - row.token_obtained_at.getTime() < youngMs;
    const canRefresh = row.auth_method === 'oauth' && this.secrets.tokensOf(row)?.refresh_token !== undefined;
    if (canRefresh && !isYoung)
      return !isResting(row, now) && (await this.refresh.refresh(row)) === 'refreshed';
    await this.tokens.broken(row, 'The server refused the credentials of the connection (401).');
    return false;
  }

  async insufficientScope(teamId: string, id: string, version: number, scope: string): Promise<void> {
    const row = await this.connections.find(teamId, id);
    if (row?.credentials_version !== version || row.auth_method !== 'oauth') return;
    await this.tokens.scopesRequired(row, scope.split(/\s+/).filter(isScope));
  }

  private async fresh(row: ConnectionEntity, now: Date): Promise<Opened> {
    if (row.status === 'pending')
      return obstacle(row, 'pending', 'A person has yet to consent to the connection.');
    if (row.status === 'broken')
      return obstacle(row, 'broken', row.broken_reason ?? 'The connection is broken.');
    if (row.token_stale_at === null || row.token_stale_at > now) return this.ready(row);
    const isGood = row.token_expires_at !== null && row.token_expires_at > now;
    const outcome = isResting(row, now) ? 'away' : await this.refresh.refresh(row);
    if (outcome === 'away') return isGood ? this.ready(row) : obstacle(row, 'unavailable', providerAway);
    const present = await this.connections.find(row.team_id, row.id);
    if (!present)
      return { ok: false, id: row.id, name: row.name, obstacle: 'unknown', message: 'It is gone.' };
    if (present.status !== 'active') return obstacle(present, 'broken', present.broken_reason ?? '');
    return this.ready(present);
  }

  private ready(row: ConnectionEntity): Opened {
    const tokens = this.secrets.tokensOf(row);
    const provider = row.type === 'native' ? this.providers.find(row.provider) : undefined;
    const open = { ...provider?.apiHeaders, ...row.headers };
    const secret = {
      ...this.secrets.headersOf(row),
      ...(tokens ? { Authorization: `Bearer ${tokens.access_token}` } : {}),
    };
    const headers = { ...open, ...secret };
    const publicHeaders = Object.keys(open).filter((name) => !(name in secret));
    const { id, name, type, credentials_version: version } = row;
    const hosts = provider ? [...provider.apiHosts] : [new URL(row.server_url).hostname];
    const server_url = this.secrets.addressOf(row);
    return {
      ok: true,
      connection: {
        ...{ id, name, type, provider: row.provider, server_url, headers, hosts, version },
        public_headers: publicHeaders,
        has_secret_address: row.auth_method === 'url',
      },
    };
  }
}

const providerAway = 'The token has ended, and the provider gives no other at the moment.';

/** A provider that has given nothing is left alone for a while, however many ask for the connection. */
function isResting({ refresh_failures: failures, refresh_at: next }: ConnectionEntity, now: Date): boolean {
  return failures > 0 && next !== null && next > now;
}

function obstacle(
  { id, name }: ConnectionEntity,
  kind: 'pending' | 'broken' | 'unavailable',
  message: string,
): Opened {
  return { ok: false, id, name, obstacle: kind, message };
}

function isScope(text: string): boolean {
  return text.length <= 300 && /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(text);
}
