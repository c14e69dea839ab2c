import { randomBytes } from 'node:crypto';
import {
  AppError,
  notFound,
  type authorizeMcpOAuth,
  type OperationRequest,
  type startNativeOAuth,
} from '@aos/contracts';
import { newId } from '@aos/persistence';
import { Inject, Injectable } from '@nestjs/common';
import { ConnectionSettings, type ConnectionsConfig } from '../config/connections.config.js';
import { ConnectionSecrets } from '../connections/connection-secrets.js';
import type { ConnectionEntity } from '../connections/connection.entity.js';
import { ConnectionsService } from '../connections/connections.service.js';
import type { NewConnection } from '../connections/connections.repository.js';
import { callbackUrl } from '../mcp-servers/client-document.js';
import { ClientRegistration, type RegisteredClient } from '../mcp-servers/client-registration.js';
import type { McpOAuth } from '../mcp-servers/mcp-discovery.js';
import { McpServers } from '../mcp-servers/mcp-servers.js';
import { OAuthCalls } from '../oauth-client/oauth-calls.js';
import { ProviderEndpoints } from '../oauth-client/provider-endpoints.js';
import { Providers } from '../providers/providers.js';
import { failureAnswer } from './failure-answer.js';
import { OAuthFlowsRepository, type Flow } from './oauth-flows.repository.js';
import { isAllowedReturn } from './return-url.js';

const lifeSeconds = 600;

/** Everything about a flow that is known before anything is written. */
export interface PreparedFlow {
  readonly flow: Flow;
  /** Null where one is mended. */
  readonly connection: NewConnection | null;
  readonly scopeSeparator?: string;
  readonly params?: Readonly<Record<string, string>>;
}

type McpRequest = OperationRequest<typeof authorizeMcpOAuth>;
type NativeRequest = OperationRequest<typeof startNativeOAuth>;

/** Begins consents. */
@Injectable()
export class FlowStarts {
  constructor(
    private readonly providers: Providers,
    private readonly endpoints: ProviderEndpoints,
    private readonly servers: McpServers,
    private readonly registration: ClientRegistration,
    private readonly connections: ConnectionsService,
    private readonly secrets: ConnectionSecrets,
    private readonly flows: OAuthFlowsRepository,
    private readonly calls: OAuthCalls,
    @Inject(ConnectionSettings) private readonly settings: ConnectionsConfig,
  ) {}

  /** Calls out, so it is called outside a transaction. */
  async native({ teamId, params, body }: NativeRequest): Promise<PreparedFlow> {
    const provider = this.providers.find(params.provider);
    if (!provider) throw notFound('The provider');
    const returnUrl = this.allowedReturn(body.return_url);
    const mended = await this.mended(teamId, body);
    if (mended && (mended.type !== 'native' || mended.provider !== provider.name)) {
      throw new AppError('invalid_request', 'reconnect_connection_id: is a connection with another provider');
    }
    if (provider.clientId === undefined) {
      throw new AppError('not_configured', `No client id is configured for ${provider.name}.`);
    }
    const server = await this.endpoints.of(provider).catch(failureAnswer);
    const wanted = body.scopes ?? union(provider.scopes, mended?.oauth_scopes, mended?.required_scopes);
    const isSecret = provider.clientSecret !== undefined;
    return this.prepared(teamId, mended, {
      connection: { type: 'native', provider: provider.name, name: body.name ?? provider.title },
      flow: {
        provider: provider.name,
        serverUrl: mended?.server_url ?? provider.apiBaseUrl,
        returnUrl,
        scopes: wanted,
        oauth: {
          server,
          client_id: provider.clientId,
          client_auth: isSecret ? (provider.clientAuth ?? 'client_secret_basic') : 'none',
          redirect_uri: callbackUrl(this.settings.PUBLIC_BASE_URL),
        },
      },
      scopeSeparator: provider.scopeSeparator,
      params: provider.authorizationParams,
    });
  }

  async mcp({ teamId, body }: McpRequest): Promise<PreparedFlow> {
    const { mcp_server_url: serverUrl } = body;
    const returnUrl = this.allowedReturn(body.return_url);
    const mended = await this.mended(teamId, body);
    if (mended && (mended.type !== 'custom_mcp' || mended.server_url !== serverUrl)) {
      throw new AppError('invalid_request', 'reconnect_connection_id: is a connection with another server');
    }
    const found = await this.servers.discover('mcp_server_url', serverUrl);
    if (found.kind === 'none') throw new AppError('invalid_request', `mcp_server_url: ${found.reason}`);
    if (found.kind === 'away') throw new AppError('unavailable', `mcp_server_url: ${found.reason}`);
    const { oauth } = found;
    const client = await this.clientOf(oauth, mended).catch(failureAnswer);
    return this.prepared(teamId, mended, {
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
          redirect_uri: callbackUrl(this.settings.PUBLIC_BASE_URL),
          resource: oauth.resource,
        },
      },
    });
  }

  /** Inside a transaction. */
  async begin({ flow, connection, scopeSeparator, params }: PreparedFlow) {
    if (connection) await this.connections.create(connection);
    else await this.connections.find(flow.teamId, flow.connectionId);
    const state = randomBytes(32).toString('base64url');
    const expiresAt = await this.flows.insert(state, flow, lifeSeconds);
    const { server, client_id: clientId, redirect_uri: redirectUri, resource } = flow.oauth;
    const { scopes, verifier } = flow;
    return {
      authorization_url: await this.calls.authorizationUrl({
        ...{ server, clientId, redirectUri, resource, state, verifier, scopes, scopeSeparator, params },
      }),
      state,
      connection_id: flow.connectionId,
      expires_at: expiresAt.toISOString(),
    };
  }

  /** A client that was registered for this very connection is used again, unless it has ended. */
  private async clientOf(mcp: McpOAuth, mended: ConnectionEntity | undefined): Promise<RegisteredClient> {
    const known = mended?.oauth;
    const isGood =
      known?.server.issuer === mcp.server.issuer &&
      known.redirect_uri === callbackUrl(this.settings.PUBLIC_BASE_URL) &&
      (known.client_expires_at === undefined || new Date(known.client_expires_at).getTime() > Date.now());
    if (!isGood) return this.registration.introduce(mcp);
    const { client_id, client_auth: auth, client_expires_at: expiresAt } = known;
    return { client_id, auth, expiresAt, secret: this.secrets.clientSecretOf(mended!) };
  }

  private prepared(
    teamId: string,
    mended: ConnectionEntity | undefined,
    given: Omit<PreparedFlow, 'flow' | 'connection'> & {
      flow: Omit<Flow, 'teamId' | 'connectionId' | 'verifier'>;
      connection: Pick<NewConnection, 'type' | 'provider' | 'name'>;
    },
  ): PreparedFlow {
    const id = mended?.id ?? newId();
    const fresh: NewConnection = {
      id,
      team_id: teamId,
      ...given.connection,
      server_url: given.flow.serverUrl,
      auth_method: 'oauth',
      status: 'pending',
      is_draft: true,
    };
    const verifier = randomBytes(32).toString('base64url');
    return {
      ...given,
      flow: { ...given.flow, teamId, connectionId: id, verifier },
      connection: mended ? null : fresh,
    };
  }

  private async mended(
    teamId: string,
    given: { reconnect_connection_id?: string; reconnect_instance_id?: string },
  ): Promise<ConnectionEntity | undefined> {
    const id = given.reconnect_connection_id ?? given.reconnect_instance_id;
    return id === undefined ? undefined : this.connections.find(teamId, id);
  }

  private allowedReturn(url: string | undefined): string | null {
    if (url === undefined) return null;
    if (isAllowedReturn(url, this.settings.OAUTH_RETURN_ORIGINS)) return url;
    throw new AppError('invalid_request', 'return_url: is not of an origin that the operator allows');
  }
}

function union(...lists: (readonly string[] | undefined)[]): string[] {
  return [...new Set(lists.flatMap((list) => list ?? []))];
}
