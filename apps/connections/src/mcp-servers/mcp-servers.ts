import { AppError, notFound } from '@aos/contracts';
import { EgressError } from '@aos/egress';
import { Injectable } from '@nestjs/common';
import { ConnectionsService } from '../connections/connections.service.js';
import { OpenedConnections } from '../opened-connections/opened-connections.js';
import { McpDiscovery, type Discovered } from './mcp-discovery.js';
import { McpProbe, type Probed } from './mcp-probe.js';

/** Questions to MCP servers that teams name. */
@Injectable()
export class McpServers {
  constructor(
    private readonly connections: ConnectionsService,
    private readonly discovery: McpDiscovery,
    private readonly mcpProbe: McpProbe,
    private readonly opened: OpenedConnections,
  ) {}

  /** An address that the guard refuses, of the server or of one that it names, is the caller's fault. */
  async discover(field: string, url: string): Promise<Discovered> {
    await this.connections.assertAllowed(field, url);
    try {
      return await this.discovery.discover(url);
    } catch (error) {
      if (!(error instanceof EgressError)) throw error;
      throw new AppError('invalid_request', `${field}: the address is refused. ${error.message}`);
    }
  }

  async probe(teamId: string, url: string, headers: Readonly<Record<string, string>>): Promise<Probed> {
    await this.connections.assertAllowed('server_url', url);
    const { answer } = await this.mcpProbe.probe(teamId, url, headers);
    return answer;
  }

  /** As a run would: with the credentials of the connection, which is broken if they are refused. */
  async probeConnection(teamId: string, id: string): Promise<Probed> {
    const opened = await this.opened.open(teamId, id);
    if (!opened.ok) {
      if (opened.obstacle === 'unknown') throw notFound('The connection');
      return { success: false, error: opened.message };
    }
    const { type, server_url: url, headers, version } = opened.connection;
    if (type !== 'custom_mcp') {
      throw new AppError('invalid_request', 'connection_id: must name a connection to an MCP server.');
    }
    const { answer, isUnauthorized } = await this.mcpProbe.probe(teamId, url, headers);
    if (isUnauthorized) await this.opened.unauthorized(teamId, id, version);
    return answer;
  }
}
