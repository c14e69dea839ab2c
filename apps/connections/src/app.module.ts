import type { Resolve } from '@aos/egress';
import { EntitlementsModule } from '@aos/entitlements';
import { Module, type DynamicModule } from '@nestjs/common';
import { ConfigModule } from './config/config.module.js';
import type { ConnectionsConfig } from './config/connections.config.js';
import { ConnectionsModule } from './connections/connections.module.js';
import { McpServersModule } from './mcp-servers/mcp-servers.module.js';
import { OAuthFlowsModule } from './oauth-flows/oauth-flows.module.js';
import { OpenedConnectionsModule } from './opened-connections/opened-connections.module.js';
import { PluginCatalogModule } from './plugin-catalog/plugin-catalog.module.js';
import { TokenRefreshModule } from './token-refresh/token-refresh.module.js';

/** The outside world: providers and MCP servers, with the credentials that teams have for them. */
@Module({})
export class AppModule {
  static forRoot(config: ConnectionsConfig, resolve?: Resolve): DynamicModule {
    return {
      module: AppModule,
      imports: [
        ConfigModule.forRoot(config, resolve),
        EntitlementsModule.forRoot(config),
        ConnectionsModule,
        McpServersModule,
        OAuthFlowsModule,
        TokenRefreshModule,
        OpenedConnectionsModule,
        PluginCatalogModule,
      ],
    };
  }
}
