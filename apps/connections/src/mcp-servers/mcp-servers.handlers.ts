import { AppError, checkMcpOAuth, getOAuthClientMetadata, probeMcpServer, type Req } from '@aos/contracts';
import { Entitlements } from '@aos/entitlements';
import { Handles } from '@aos/messaging';
import { Controller, Inject } from '@nestjs/common';
import { ConnectionSettings, type ConnectionsConfig } from '../config/connections.config.js';
import { clientDocument } from './client-document.js';
import { allHeaders } from './mcp-probe.js';
import { McpServers } from './mcp-servers.js';

@Controller()
export class McpServersHandlers {
  constructor(
    private readonly servers: McpServers,
    private readonly entitlements: Entitlements,
    @Inject(ConnectionSettings) private readonly settings: ConnectionsConfig,
  ) {}

  @Handles(checkMcpOAuth)
  async checkMcpOAuth({ teamId, body }: Req<typeof checkMcpOAuth>) {
    await this.entitlements.assertFeature(teamId, 'mcp');
    const found = await this.servers.discover('mcp_server_url', body.mcp_server_url);
    if (found.kind === 'none') return { supports_oauth: false, supports_dcr: false };
    if (found.kind === 'away') return { supports_oauth: false, supports_dcr: false, error: found.reason };
    const { server, registrationEndpoint, scopes } = found.oauth;
    return {
      supports_oauth: true,
      supports_dcr: registrationEndpoint !== undefined,
      authorization_endpoint: server.authorization_endpoint,
      token_endpoint: server.token_endpoint,
      scopes: [...scopes],
    };
  }

  @Handles(probeMcpServer)
  async probeMcpServer({ teamId, body }: Req<typeof probeMcpServer>) {
    await this.entitlements.assertFeature(teamId, 'mcp');
    const { connection_id: id, server_url: url = '', headers, api_key: apiKey } = body;
    if (id !== undefined) return this.servers.probeConnection(teamId, id);
    return this.servers.probe(teamId, url, allHeaders(headers, apiKey));
  }

  @Handles(getOAuthClientMetadata)
  async getOAuthClientMetadata() {
    const { PUBLIC_BASE_URL: baseUrl } = this.settings;
    if (!URL.canParse(baseUrl)) throw new AppError('not_configured', 'PUBLIC_BASE_URL is not set.');
    return clientDocument(baseUrl);
  }
}
