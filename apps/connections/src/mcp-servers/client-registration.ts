import type { Egress } from '@aos/egress';
import { Inject, Injectable } from '@nestjs/common';
import * as oauth from 'oauth4webapi';
import { ConnectionEgress } from '../config/connection-egress.js';
import { ConnectionSettings, type ConnectionsConfig } from '../config/connections.config.js';
import { isSecureAddress, type OAuthClient } from '../oauth-client/authorization-server.js';
import { OAuthFailure, toOAuthFailure } from '../oauth-client/oauth-failure.js';
import { hasPlainTexts } from '../oauth-client/plain-text.js';
import type { ClientAuthMethod } from '../providers/provider.js';
import { callbackUrl, clientDocument, documentUrl } from './client-document.js';
import type { McpOAuth } from './mcp-discovery.js';

export interface RegisteredClient extends OAuthClient {
  /** When the server forgets it; absent for never. */
  readonly expiresAt?: string;
  /** The one that the server knows. */
  readonly redirectUri: string;
}

/** Makes this service known to an authorization server. */
@Injectable()
export class ClientRegistration {
  constructor(
    @Inject(ConnectionEgress) private readonly egress: Egress,
    @Inject(ConnectionSettings) private readonly settings: ConnectionsConfig,
  ) {}

  /**
   * By our own document where the server reads it, else by registration (RFC 7591). A client that is registered comes back
   * to the address of its connection: that tells the answer of another authorization server where `iss` does not.
   */
  async introduce(mcp: McpOAuth, connectionId: string): Promise<RegisteredClient> {
    const { PUBLIC_BASE_URL: baseUrl } = this.settings;
    if (this.canUseDocument(mcp)) {
      return { client_id: documentUrl(baseUrl), auth: 'none', redirectUri: callbackUrl(baseUrl) };
    }
    const { registrationEndpoint } = mcp;
    if (registrationEndpoint === undefined) {
      throw new OAuthFailure('refused', 'The authorization server takes no clients that it does not know.');
    }
    if (!isSecureAddress(registrationEndpoint)) {
      throw new OAuthFailure('invalid', 'The registration endpoint is not secured by TLS.');
    }
    const redirectUri = callbackUrl(baseUrl, connectionId);
    try {
      const server = { ...mcp.server, registration_endpoint: registrationEndpoint };
      return { ...(await this.register(server, mcp.authMethods, redirectUri)), redirectUri };
    } catch (error) {
      throw toOAuthFailure(error);
    }
  }

  /**
   * Servers read it over https only. It makes us the same client everywhere, and a server that does not say who it is
   * (RFC 9207) could then be taken for another.
   */
  private canUseDocument({ takesClientDocuments, server }: McpOAuth): boolean {
    const isPublic = this.settings.PUBLIC_BASE_URL.startsWith('https://');
    return takesClientDocuments && isPublic && server.authorization_response_iss_parameter_supported === true;
  }

  private async register(
    server: oauth.AuthorizationServer,
    supported: readonly string[],
    redirectUri: string,
  ): Promise<Omit<RegisteredClient, 'redirectUri'>> {
    const { client_id: _ours, ...metadata } = clientDocument(this.settings.PUBLIC_BASE_URL);
    const method = methods.find((name) => supported.includes(name)) ?? 'client_secret_basic';
    const response = await oauth.dynamicClientRegistrationRequest(
      server,
      { ...metadata, redirect_uris: [redirectUri], token_endpoint_auth_method: method },
      {
        signal: AbortSignal.timeout(8_000),
        [oauth.customFetch]: this.egress.fetch,
        [oauth.allowInsecureRequests]: true,
      },
    );
    const made = await oauth.processDynamicClientRegistrationResponse(response);
    const given = methods.find((name) => name === (made['token_endpoint_auth_method'] ?? method));
    const secret = made['client_secret'] as string | undefined;
    const client = { client_id: made['client_id'] as string, secret };
    if (given === undefined || !hasPlainTexts(client)) {
      throw new OAuthFailure('invalid', 'The client that the authorization server gave cannot be used.');
    }
    return {
      ...client,
      auth: secret === undefined ? 'none' : given === 'none' ? 'client_secret_basic' : given,
      expiresAt: endOf(made['client_secret_expires_at']),
    };
  }
}

/** A client without a secret has none to lose; PKCE binds the code to it. */
const methods: readonly ClientAuthMethod[] = ['none', 'client_secret_basic', 'client_secret_post'];

/** Seconds since 1970, of which 0 is never. An end that no date can hold will not be seen either. */
function endOf(seconds: unknown): string | undefined {
  if (typeof seconds !== 'number' || seconds === 0) return undefined;
  const end = new Date(seconds * 1_000);
  return Number.isNaN(end.getTime()) ? undefined : end.toISOString();
}
