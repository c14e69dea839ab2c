import { Module } from '@nestjs/common';
import { ConnectionsModule } from '../connections/connections.module.js';
import { OpenedConnectionsModule } from '../opened-connections/opened-connections.module.js';
import { ClientRegistration } from './client-registration.js';
import { McpDiscovery } from './mcp-discovery.js';
import { McpProbe } from './mcp-probe.js';
import { McpServersHandlers } from './mcp-servers.handlers.js';
import { McpServers } from './mcp-servers.js';

/** MCP servers: what they offer, and who vouches for them. */
@Module({
  imports: [ConnectionsModule, OpenedConnectionsModule],
  controllers: [McpServersHandlers],
  providers: [McpServers, McpDiscovery, McpProbe, ClientRegistration],
  exports: [McpServers, ClientRegistration],
})
export class McpServersModule {}
