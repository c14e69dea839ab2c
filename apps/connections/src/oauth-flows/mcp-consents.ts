import { AppError, type authorizeMcpOAuth, type OperationRequest } from '@aos/contracts';
import { Entitlements } from '@aos/entitlements';
import { Injectable } from '@nestjs/common';
import { ConnectionSecrets } from '../connections/connection-secrets.js';
import type { ConnectionEntity } from '../connections/connection.entity.js';
import { ClientRegistration, type RegisteredClient } from '../mcp-servers/client-registration.js';
import type { McpOAuth } from '../mcp-servers/mcp-discovery.js';
import { McpServers } from '../mcp-servers/mcp-servers.js';
import { OAuthFailure } from '../oauth-client/oauth-failure.js';
import { failureAnswer } from './failure-answer.js';
import { FlowDrafts, union, type PreparedFlow } from './flow-drafts.js';

/** Consents with the authorization servers of MCP servers, which are found, and to which this service introduces itself. */
@Injectable()
export class McpConsents {
  constructor(
    private readonly servers: McpServers,
    private readonly registration: ClientRegistration,
    private readonly secrets: ConnectionSecrets,
    private readonly drafts: FlowDrafts,
    private readonly entitlements: Entitlements,
  ) {}

  /** Calls out, so it is called outside a transaction. */
  async prepare({ teamId, body }: OperationRequest<typeof authorizeMcpOAuth>): Promise<PreparedFlow> {
    const { mcp_server_url: serverUrl } = body;
    const returnUrl = this.drafts.allowedReturn(body.return_url);
    const mended = await this.drafts.mended(teamId, body);
    if (mended && (mended.type !== 'custom_mcp' || mended.server_url !== serverUrl)) {
      throw new AppError('invalid_request', 'reconnect_connection_id: is a connection with another server');
    }
    await this.entitlements.assertFeature(teamId, 'mcp');
    const found = await this.servers.discover('mcp_server_url', serverUrl);
    if (found.kind === 'none') throw new AppError('invalid_request', `mcp_server_url: ${found.reason}`);
    if (found.kind === 'away') throw new AppError('unavailable', `mcp_server_url: ${found.reason}`);
    const { oauth } = found;
    const client = await this.clientOf(oauth, mended).catch(failureAnswer);
    return this.drafts.prepare(teamId, mended, {
      connection: { type: 'custom_mcp', provider: 'mcp', name: body.name ?? new URL(serverUrl).host },
      flow: {
        provider: null,
        serverUrl,
        returnUrl,
        scopes: body.scopes ?? union(oauth.scopes, mended?.oauth_scopes, mended?.required_scopes),
        clientSecret: client.secret,
        oauth: {
          server: oauth.server,
          client_id: client.client_id,
          client_auth: client.auth,
          client_expires_at: client.expiresAt,
          redirect_uri: this.drafts.redirectUri,
          resource: oauth.resource,
        },
      },
    });
  }

  /**
   * The server may have forgotten the client that was registered for a connection, though its tokens are still good: no
   * answer tells that for certain, and with a client that is gone no consent can mend anything. So each consent has a client
   * of its own; the one that is known is for a server that registers none at the moment.
   */
  private async clientOf(mcp: McpOAuth, mended: ConnectionEntity | undefined): Promise<RegisteredClient> {
    try {
      return await this.registration.introduce(mcp);
    } catch (error) {
      const known = mended && this.knownClient(mcp, mended);
      if (!known || !(error instanceof OAuthFailure)) throw error;
      return known;
    }
  }

  /** The client of a connection that works, unless it has ended. */
  private knownClient(mcp: McpOAuth, mended: ConnectionEntity): RegisteredClient | undefined {
    const known = mended.oauth;
    const isGood =
      mended.status !== 'broken' &&
      known?.server.issuer === mcp.server.issuer &&
      known.redirect_uri === this.drafts.redirectUri &&
      (known.client_expires_at === undefined || new Date(known.client_expires_at).getTime() > Date.now());
    if (!isGood) return undefined;
    const { client_id, client_auth: auth, client_expires_at: expiresAt } = known;
    return { client_id, auth, expiresAt, secret: this.secrets.clientSecretOf(mended) };
  }
}
