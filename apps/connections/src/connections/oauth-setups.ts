import { AppError } from '@aos/contracts';
import { Injectable } from '@nestjs/common';
import type { AuthorizationServer, OAuthClient } from '../oauth-client/authorization-server.js';
import { Providers } from '../providers/providers.js';
import { ConnectionSecrets } from './connection-secrets.js';
import type { ConnectionEntity } from './connection.entity.js';

/** Whom to ask for tokens of a connection, and as whom. */
export interface TokenSource {
  readonly server: AuthorizationServer;
  readonly client: OAuthClient;
  readonly resource?: string;
}

/** A secret of a native provider is the operator's, and not stored: a new one counts at once. */
@Injectable()
export class OAuthSetups {
  constructor(
    private readonly providers: Providers,
    private readonly secrets: ConnectionSecrets,
  ) {}

  of(row: ConnectionEntity): TokenSource {
    if (!row.oauth) throw new AppError('invalid_state', 'The connection was never consented to.');
    const { server, client_id, client_auth: auth, resource } = row.oauth;
    const secret =
      row.type === 'native'
        ? this.providers.configured(row.provider, auth).clientSecret
        : this.secrets.clientSecretOf(row);
    return { server, client: { client_id, auth, secret }, resource };
  }
}
