import { Module } from '@nestjs/common';
import { ConnectionsModule } from '../connections/connections.module.js';
import { TokenRefreshModule } from '../token-refresh/token-refresh.module.js';
import { OpenedConnectionsHandlers } from './opened-connections.handlers.js';
import { OpenedConnections } from './opened-connections.js';

/** Connections as those who call their servers need them. */
@Module({
  imports: [ConnectionsModule, TokenRefreshModule],
  controllers: [OpenedConnectionsHandlers],
  providers: [OpenedConnections],
  exports: [OpenedConnections],
})
export class OpenedConnectionsModule {}
