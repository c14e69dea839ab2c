import type { Egress } from '@aos/egress';
import { Inject, Injectable } from '@nestjs/common';
import * as oauth from 'oauth4webapi';
import { ConnectionEgress } from '../config/connection-egress.js';
import type { Provider } from '../providers/provider.js';
import { isSecureAddress, type AuthorizationServer } from './authorization-server.js';
import { OAuthFailure, toOAuthFailure } from './oauth-failure.js';
import { hasPlainTexts } from './plain-text.js';

const keptMs = 10 * 60_000;

/** Endpoints of a native provider, as declared or by OpenID discovery. */
@Injectable()
export class ProviderEndpoints {
  private readonly found = new Map<
    string,
    { readonly server: AuthorizationServer; readonly until: number }
  >();

  constructor(@Inject(ConnectionEgress) private readonly egress: Egress) {}

  async of(provider: Provider): Promise<AuthorizationServer> {
    const { issuer, authorizationEndpoint, tokenEndpoint, revocationEndpoint } = provider;
    if (authorizationEndpoint === undefined || tokenEndpoint === undefined) return this.discovered(issuer!);
    return {
      issuer: issuer ?? new URL(tokenEndpoint).origin,
      authorization_endpoint: authorizationEndpoint,
      token_endpoint: tokenEndpoint,
      revocation_endpoint: revocationEndpoint,
    };
  }

  private async discovered(issuer: string): Promise<AuthorizationServer> {
    const known = this.found.get(issuer);
    if (known && known.until > performance.now()) return known.server;
    const server = await this.discover(issuer);
    this.found.set(issuer, { server, until: performance.now() + keptMs });
    return server;
  }

  private async discover(issuer: string): Promise<AuthorizationServer> {
    const url = new URL(issuer);
    if (!isSecureAddress(issuer)) throw new OAuthFailure('invalid', 'The provider is not secured by TLS.');
    try {
      const response = await oauth.discoveryRequest(url, {
        algorithm: 'oidc',
        signal: AbortSignal.timeout(8_000),
        [oauth.customFetch]: this.egress.fetch,
        [oauth.allowInsecureRequests]: true,
      });
      const {
        authorization_endpoint: authorization,
        token_endpoint: token,
        revocation_endpoint: revocation,
        ...rest
      } = await oauth.processDiscoveryResponse(url, response);
      if (!authorization || !token || !isSecureAddress(authorization)) {
        throw new OAuthFailure('invalid', 'The provider lacks endpoints that are secured by TLS.');
      }
      const server = {
        issuer: rest.issuer,
        authorization_endpoint: authorization,
        token_endpoint: token,
        revocation_endpoint: revocation,
        authorization_response_iss_parameter_supported: rest.authorization_response_iss_parameter_supported,
      };
      if (hasPlainTexts(server)) return server;
      throw new OAuthFailure('invalid', 'What the provider says of itself cannot be used.');
    } catch (error) {
      throw toOAuthFailure(error);
    }
  }
}
