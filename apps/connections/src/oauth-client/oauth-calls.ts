import type { Egress } from '@aos/egress';
import { Inject, Injectable } from '@nestjs/common';
import * as oauth from 'oauth4webapi';
import { ConnectionEgress } from '../config/connection-egress.js';
import type { AuthorizationServer, OAuthClient } from './authorization-server.js';
import { isSecureAddress } from './authorization-server.js';
import { OAuthFailure, toOAuthFailure } from './oauth-failure.js';
import { hasPlainTexts } from './plain-text.js';
import { normalizedAnswer, type Tokens } from './token-answer.js';

/** A caller waits for ten seconds at most. */
export const callTimeoutMs = 8_000;

export interface AuthorizationRequest {
  readonly server: AuthorizationServer;
  readonly clientId: string;
  readonly redirectUri: string;
  readonly state: string;
  readonly verifier: string;
  readonly scopes: readonly string[];
  readonly scopeSeparator?: string;
  readonly resource?: string;
  readonly params?: Readonly<Record<string, string>>;
}

export interface CodeExchange {
  readonly server: AuthorizationServer;
  readonly client: OAuthClient;
  readonly params: URLSearchParams;
  readonly state: string;
  readonly verifier: string;
  readonly redirectUri: string;
  readonly resource?: string;
}

/** The client's side of OAuth 2.1 over the guarded client: no redirect is followed, no private address is reached. */
@Injectable()
export class OAuthCalls {
  constructor(@Inject(ConnectionEgress) private readonly egress: Egress) {}

  async authorizationUrl(request: AuthorizationRequest): Promise<string> {
    const { scopes, scopeSeparator = ' ', resource, params = {} } = request;
    const url = new URL(request.server.authorization_endpoint);
    const asked = {
      ...(scopes.includes('offline_access') ? { prompt: 'consent' } : {}),
      ...params,
      response_type: 'code',
      client_id: request.clientId,
      redirect_uri: request.redirectUri,
      state: request.state,
      code_challenge: await oauth.calculatePKCECodeChallenge(request.verifier),
      code_challenge_method: 'S256',
      ...(scopes.length > 0 ? { scope: scopes.join(scopeSeparator) } : {}),
      ...(resource === undefined ? {} : { resource }),
    };
    for (const [name, value] of Object.entries(asked)) url.searchParams.set(name, value);
    return url.href;
  }

  /** Checks who sent the code (state, issuer) and exchanges it with the verifier of its own flow. */
  async exchange(given: CodeExchange): Promise<Tokens> {
    const { server, client, resource } = given;
    return this.guarded(server, async (options) => {
      const who = { client_id: client.client_id };
      const params = oauth.validateAuthResponse(server, who, given.params, given.state);
      const response = await oauth.authorizationCodeGrantRequest(
        server,
        who,
        authOf(client),
        params,
        given.redirectUri,
        given.verifier,
        { ...options, additionalParameters: resource === undefined ? {} : { resource } },
      );
      return oauth.processAuthorizationCodeResponse(server, who, response);
    });
  }

  async refresh(
    server: AuthorizationServer,
    client: OAuthClient,
    refreshToken: string,
    resource?: string,
  ): Promise<Tokens> {
    return this.guarded(server, async (options) => {
      const who = { client_id: client.client_id };
      const additionalParameters: Record<string, string> = resource === undefined ? {} : { resource };
      const response = await oauth.refreshTokenGrantRequest(server, who, authOf(client), refreshToken, {
        ...options,
        additionalParameters,
      });
      return oauth.processRefreshTokenResponse(server, who, response);
    });
  }

  /** Tells the provider that a token is no longer needed (RFC 7009). Its answer is not read. */
  async revoke(server: AuthorizationServer, client: OAuthClient, token: string): Promise<boolean> {
    if (server.revocation_endpoint === undefined || !isSecureAddress(server.revocation_endpoint))
      return false;
    try {
      const who = { client_id: client.client_id };
      const options = this.options(AbortSignal.timeout(3_000), this.egress.fetch);
      await oauth.processRevocationResponse(
        await oauth.revocationRequest(server, who, authOf(client), token, options),
      );
      return true;
    } catch (error) {
      toOAuthFailure(error);
      return false;
    }
  }

  private async guarded(
    server: AuthorizationServer,
    call: (
      options: oauth.HttpRequestOptions<'POST', URLSearchParams>,
    ) => Promise<oauth.TokenEndpointResponse>,
  ): Promise<Tokens> {
    if (!isSecureAddress(server.token_endpoint)) {
      throw new OAuthFailure(
        'invalid',
        'The token endpoint of the authorization server is not secured by TLS.',
      );
    }
    let fields: Record<string, unknown> = {};
    const fetch: typeof globalThis.fetch = async (input, init) => {
      const answer = await normalizedAnswer(await this.egress.fetch(input, init));
      if (answer.ok)
        fields = (await answer
          .clone()
          .json()
          .catch(() => ({}))) as Record<string, unknown>;
      return answer;
    };
    try {
      return toTokens(await call(this.options(AbortSignal.timeout(callTimeoutMs), fetch)), fields);
    } catch (error) {
      throw toOAuthFailure(error);
    }
  }

  private options(
    signal: AbortSignal,
    fetch: typeof globalThis.fetch,
  ): oauth.HttpRequestOptions<'POST', URLSearchParams> {
    // Which addresses may be reached without TLS is decided above.
    return { signal, [oauth.customFetch]: fetch, [oauth.allowInsecureRequests]: true };
  }
}

function toTokens(answer: oauth.TokenEndpointResponse, fields: Record<string, unknown>): Tokens {
  const { access_token: accessToken, refresh_token: refreshToken, expires_in: expiresIn, scope } = answer;
  if (!hasPlainTexts({ accessToken, refreshToken, scope })) {
    throw new OAuthFailure('invalid', 'The tokens that the authorization server gave cannot be used.');
  }
  return { accessToken, refreshToken, expiresIn, scope, fields };
}

function authOf({ auth, secret = '' }: OAuthClient): oauth.ClientAuth {
  if (auth === 'none') return oauth.None();
  return auth === 'client_secret_post' ? oauth.ClientSecretPost(secret) : oauth.ClientSecretBasic(secret);
}
