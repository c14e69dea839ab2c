import { Module } from '@nestjs/common';
import { ConnectionsModule } from '../connections/connections.module.js';
import { OAuthClientModule } from '../oauth-client/oauth-client.module.js';
import { RefreshLoop } from './refresh-loop.js';
import { RefreshRepository } from './refresh.repository.js';
import { TokenRefresh } from './token-refresh.js';

/** New tokens before the old ones end. */
@Module({
  imports: [ConnectionsModule, OAuthClientModule],
  providers: [TokenRefresh, RefreshRepository, RefreshLoop],
  exports: [TokenRefresh],
})
export class TokenRefreshModule {}
