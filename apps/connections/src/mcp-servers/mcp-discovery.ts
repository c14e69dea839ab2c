import type { Egress } from '@aos/egress';
import { EgressError } from '@aos/egress';
import {
  checkResourceAllowed,
  discoverOAuthServerInfo,
  extractWWWAuthenticateParams,
  resourceUrlFromServerUrl,
  type FetchLike,
  type OAuthServerInfo,
} from '@modelcontextprotocol/client';
import { Inject, Injectable } from '@nestjs/common';
import { ConnectionEgress } from '../config/connection-egress.js';
import { isSecureAddress, type AuthorizationServer } from '../oauth-client/authorization-server.js';
import { hasPlainTexts } from '../oauth-client/plain-text.js';

export interface McpOAuth {
  readonly server: AuthorizationServer;
  readonly registrationEndpoint?: string;
  /** Whether it reads the client's own document instead of having it registered. */
  readonly takesClientDocuments: boolean;
  readonly authMethods: readonly string[];
  /** The identifier that tokens are to be bound to. */
  readonly resource: string;
  readonly scopes: readonly string[];
}

export type Discovered =
  | { readonly kind: 'oauth'; readonly oauth: McpOAuth }
  /** It answers, and does without; or what it says cannot be used. */
  | { readonly kind: 'none'; readonly reason: string }
  | { readonly kind: 'away'; readonly reason: string };

const timeoutMs = 8_000;
const unusable = 'What the server says of its authorization cannot be used.';

/** Finds the authorization server of an MCP server: RFC 9728, then RFC 8414 or OpenID discovery. */
@Injectable()
export class McpDiscovery {
  constructor(@Inject(ConnectionEgress) private readonly egress: Egress) {}

  /** Every address that a server names goes through the guard. Throws `EgressError` for one that it refuses. */
  async discover(serverUrl: string): Promise<Discovered> {
    const signal = AbortSignal.timeout(timeoutMs);
    const fetchFn = (input: string | URL, init?: RequestInit) =>
      this.egress.fetch(input, { ...init, signal, redirect: 'manual' });
    try {
      const challenge = extractWWWAuthenticateParams(await this.knock(serverUrl, fetchFn));
      const found = await discoverOAuthServerInfo(serverUrl, {
        resourceMetadataUrl: challenge.resourceMetadataUrl,
        fetchFn,
      });
      return usable(serverUrl, found, challenge.scope);
    } catch (error) {
      if (error instanceof EgressError && error.kind === 'forbidden') throw error;
      if (error instanceof EgressError) return { kind: 'away', reason: error.message };
      if (signal.aborted) return { kind: 'away', reason: 'The server did not answer in time.' };
      return { kind: 'none', reason: unusable };
    }
  }

  /** A request without credentials: the refusal says where to get some. */
  private async knock(serverUrl: string, fetchFn: FetchLike): Promise<Response> {
    const response = await fetchFn(serverUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
    });
    await response.body?.cancel();
    return response;
  }
}

/** PKCE and TLS are not up for negotiation. */
function usable(serverUrl: string, found: OAuthServerInfo, challenged: string | undefined): Discovered {
  const { authorizationServerMetadata: metadata, resourceMetadata } = found;
  if (!metadata) return { kind: 'none', reason: 'The server names no authorization server.' };
  const { authorization_endpoint: authorization, token_endpoint: token } = metadata;
  if (!authorization || !token) return { kind: 'none', reason: 'The authorization server lacks endpoints.' };
  if (!isSecureAddress(authorization) || !isSecureAddress(token)) {
    return { kind: 'none', reason: 'The authorization server is not secured by TLS.' };
  }
  if (!metadata.code_challenge_methods_supported?.includes('S256')) {
    return { kind: 'none', reason: 'The authorization server does not support PKCE.' };
  }
  const resource = resourceMetadata?.resource ?? resourceUrlFromServerUrl(serverUrl).href;
  if (!checkResourceAllowed({ requestedResource: serverUrl, configuredResource: resource })) {
    return { kind: 'none', reason: 'The server says that it is another one.' };
  }
  const { revocation_endpoint: revocation } = metadata as { revocation_endpoint?: string };
  const known = metadata as {
    authorization_response_iss_parameter_supported?: boolean;
    client_id_metadata_document_supported?: boolean;
  };
  const scopes = challenged?.split(/\s+/).filter(Boolean) ?? resourceMetadata?.scopes_supported ?? [];
  const canStay = metadata.scopes_supported?.includes('offline_access') ?? false;
  const oauth: McpOAuth = {
    server: {
      issuer: metadata.issuer,
      authorization_endpoint: authorization,
      token_endpoint: token,
      revocation_endpoint: revocation,
      authorization_response_iss_parameter_supported: known.authorization_response_iss_parameter_supported,
    },
    registrationEndpoint: metadata.registration_endpoint,
    takesClientDocuments: known.client_id_metadata_document_supported ?? false,
    authMethods: metadata.token_endpoint_auth_methods_supported ?? ['client_secret_basic'],
    resource,
    scopes: canStay ? [...new Set([...scopes, 'offline_access'])] : scopes,
  };
  return hasPlainTexts(oauth) ? { kind: 'oauth', oauth } : { kind: 'none', reason: unusable };
}
