import { AppError, type authorizeMcpOAuth, type OperationRequest } from '@aos/contracts';
import { Entitlements } from '@aos/entitlements';
import { newId } from '@aos/persistence';
import { Injectable } from '@nestjs/common';
import { ConnectionSecrets } from '../connections/connection-secrets.js';
import type { ConnectionEntity } from '../connections/connection.entity.js';
import { ClientRegistration, type RegisteredClient } from '../mcp-servers/client-registration.js';
import type { McpOAuth } from '../mcp-servers/mcp-discovery.js';
import { McpServers } from '../mcp-servers/mcp-servers.js';
import { isSharedClient } from '../oauth-client/authorization-server.js';
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
    const id = mended?.id ?? newId();
    const client = await this.clientOf(oauth, mended, id).catch(failureAnswer);
    const given = {
      connection: {
        type: 'custom_mcp' as const,
        provider: 'mcp',
        name: body.name ?? new URL(serverUrl).host,
      },
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
          redirect_uri: client.redirectUri,
          resource: oauth.resource,
        },
      },
    };
    return this.drafts.prepare(teamId, mended, given, id);
  }

  /**
   * The server may have forgotten the client that was registered for a connection, though its tokens are still good: no
   * answer tells that for certain, and with a client that is gone no consent can mend anything. So each consent has a client
   * of its own; the one that is known is for a server that registers none at the moment.
   */
  private async clientOf(
    mcp: McpOAuth,
    mended: ConnectionEntity | undefined,
    id: string,
  ): Promise<RegisteredClient> {
    try {
      return await this.registration.introduce(mcp, id);
    } catch (error) {
      const known = mended && this.knownClient(mcp, mended);
      if (!known || !(error instanceof OAuthFailure)) throw error;
      return known;
    }
  }

  /** The client that was registered for a connection that works, unless it has ended; it keeps its redirect address. */
  private knownClient(mcp: McpOAuth, mended: ConnectionEntity): RegisteredClient | undefined {
    const known = mended.oauth;
    const isGood =
      mended.status !== 'broken' &&
      known?.server.issuer === mcp.server.issuer &&
      // Known to all servers by one id, it is for those that say who they are.
      !isSharedClient(known) &&
      [this.drafts.redirectUri(mended.id), this.drafts.redirectUri()].includes(known.redirect_uri) &&
      (known.client_expires_at === undefined || new Date(known.client_expires_at).getTime() > Date.now());
    if (!isGood) return undefined;
    const { client_id, client_auth: auth, client_expires_at: expiresAt, redirect_uri: redirectUri } = known;
    return { client_id, auth, expiresAt, redirectUri, secret: this.secrets.clientSecretOf(mended) };
  }
}
