import { AppError, type OperationRequest, type OperationResponse, type probeMcpServer } from '@aos/contracts';
import { EgressError } from '@aos/egress';
import { Injectable } from '@nestjs/common';
import { ConnectionsService } from '../connections/connections.service.js';
import { McpDiscovery, type Discovered } from './mcp-discovery.js';
import { allHeaders, McpProbe } from './mcp-probe.js';

/** Questions to MCP servers that teams name. */
@Injectable()
export class McpServers {
  constructor(
    private readonly connections: ConnectionsService,
    private readonly discovery: McpDiscovery,
    private readonly mcpProbe: McpProbe,
  ) {}

  /** An address that the guard refuses, of the server or of one that it names, is the caller's fault. */
  async discover(field: string, url: string): Promise<Discovered> {
    await this.connections.assertAllowed(field, url);
    try {
      return await this.discovery.discover(url);
    } catch (error) {
      if (!(error instanceof EgressError)) throw error;
      throw new AppError('invalid_request', `${field}: names an address that is refused. ${error.message}`);
    }
  }

  async probe(
    teamId: string,
    given: OperationRequest<typeof probeMcpServer>['body'],
  ): Promise<OperationResponse<typeof probeMcpServer>> {
    await this.connections.assertAllowed('server_url', given.server_url);
    return this.mcpProbe.probe(teamId, given.server_url, allHeaders(given.headers, given.api_key));
  }
}
