import { Module } from '@nestjs/common';
import { OAuthClientModule } from '../oauth-client/oauth-client.module.js';
import { ConnectionEvents } from './connection-events.js';
import { ConnectionSecrets } from './connection-secrets.js';
import { ConnectionTokens } from './connection-tokens.js';
import { ConnectionsHandlers } from './connections.handlers.js';
import { ConnectionsRepository } from './connections.repository.js';
import { ConnectionsService } from './connections.service.js';
import { OAuthSetups } from './oauth-setups.js';
import { TokenRevocation } from './token-revocation.js';

/** The connections of teams, with their sealed credentials. */
@Module({
  imports: [OAuthClientModule],
  controllers: [ConnectionsHandlers],
  providers: [
    ConnectionsService,
    ConnectionsRepository,
    ConnectionSecrets,
    ConnectionEvents,
    ConnectionTokens,
    OAuthSetups,
    TokenRevocation,
  ],
  exports: [
    ConnectionsService,
    ConnectionsRepository,
    ConnectionSecrets,
    ConnectionEvents,
    ConnectionTokens,
    OAuthSetups,
  ],
})
export class ConnectionsModule {}
