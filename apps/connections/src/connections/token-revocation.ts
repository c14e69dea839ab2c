import { AppError } from '@aos/contracts';
import { Logger } from '@aos/platform';
import { Injectable } from '@nestjs/common';
import { OAuthCalls } from '../oauth-client/oauth-calls.js';
import { ConnectionSecrets } from './connection-secrets.js';
import type { ConnectionEntity } from './connection.entity.js';
import { OAuthSetups } from './oauth-setups.js';

/** Gives tokens back that will not be used again. */
@Injectable()
export class TokenRevocation {
  constructor(
    private readonly calls: OAuthCalls,
    private readonly setups: OAuthSetups,
    private readonly secrets: ConnectionSecrets,
    private readonly logger: Logger,
  ) {}

  /** True if the provider heard of it. Never throws: a connection can be deleted whatever is wrong with it. */
  async revoke(row: ConnectionEntity): Promise<boolean> {
    try {
      const tokens = this.secrets.tokensOf(row);
      if (!tokens) return false;
      const { server, client } = this.setups.of(row);
      return await this.calls.revoke(server, client, tokens.refresh_token ?? tokens.access_token);
    } catch (error) {
      // A key or a provider that the operator has taken away is no fault of ours.
      if (!(error instanceof AppError)) {
        this.logger.error(
          { err: error, connection_id: row.id },
          'the tokens of a connection were not revoked',
        );
      }
      return false;
    }
  }
}
