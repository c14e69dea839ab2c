import { AppError } from '@aos/contracts';
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
  ) {}

  /** True if the provider heard of it. A connection can be deleted whatever its provider or the key ring says. */
  async revoke(row: ConnectionEntity): Promise<boolean> {
    try {
      const tokens = this.secrets.tokensOf(row);
      if (!tokens) return false;
      const { server, client } = this.setups.of(row);
      return await this.calls.revoke(server, client, tokens.refresh_token ?? tokens.access_token);
    } catch (error) {
      if (error instanceof AppError) return false;
      throw error;
    }
  }
}
