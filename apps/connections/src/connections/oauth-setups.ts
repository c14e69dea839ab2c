import { AppError } from '@aos/contracts';
import { Injectable } from '@nestjs/common';
import type { AuthorizationServer, OAuthClient } from '../oauth-client/authorization-server.js';
import { clientOf, Providers } from '../providers/providers.js';
import { ConnectionSecrets } from './connection-secrets.js';
import type { ConnectionEntity } from './connection.entity.js';

/** Whom to ask for tokens of a connection, and as whom. */
export interface TokenSource {
  readonly server: AuthorizationServer;
  readonly client: OAuthClient;
  readonly resource?: string;
  /** Whether the person consented to another client, which the operator has replaced since. */
  readonly isReplaced: boolean;
}

/** A secret of a native provider is the operator's, and not stored: a new one counts at once. */
@Injectable()
export class OAuthSetups {
  constructor(
    private readonly providers: Providers,
    private readonly secrets: ConnectionSecrets,
  ) {}

  of(row: ConnectionEntity): TokenSource {
    if (!row.oauth) throw new AppError('invalid_state', 'The connection has no consent yet.');
    const { server, client_id, client_auth: auth, resource } = row.oauth;
    const former = { client_id, auth };
    if (row.type !== 'native') {
      const client = { ...former, secret: this.secrets.clientSecretOf(row) };
      return { server, client, resource, isReplaced: false };
    }
    const present = clientOf(this.providers.configured(row.provider, auth));
    // One without a secret can still be spoken for. To any other the secret that is configured now does not belong.
    const isReplaced = present.client_id !== client_id && auth !== 'none';
    return { server, client: isReplaced ? present : { ...present, ...former }, resource, isReplaced };
  }
}
