import { scopes } from '@aos/contracts';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { FailedAuthentications } from '../failed-authentications.js';
import { GatewaySettings, type GatewayConfig } from '../../gateway.config.js';
import type { OAuthClientEntity } from '../../identity/oauth-clients/oauth-client.entity.js';
import { OAuthClientsService } from '../../identity/oauth-clients/oauth-clients.service.js';
import { AccessTokens, accessTokenSeconds } from '../../identity/tokens/access-tokens.js';
import { SigningKeys } from '../../identity/tokens/signing-keys.js';
import { clientCredentials, tokenScopes } from './client-credentials.js';
import { OAuthError } from './oauth-error.js';
import { formParser } from './form-parser.js';

type Form = Readonly<Record<string, unknown>>;

/** The OAuth endpoints: token, revocation (RFC 7009), keys and metadata (RFC 8414, RFC 9728). */
@Injectable()
export class OAuthRoutes {
  constructor(
    private readonly clients: OAuthClientsService,
    private readonly tokens: AccessTokens,
    private readonly keys: SigningKeys,
    private readonly failures: FailedAuthentications,
    @Inject(GatewaySettings) private readonly config: GatewayConfig,
  ) {}

  register(server: FastifyInstance): void {
    server.get('/oauth/jwks', async () => ({ keys: (await this.keys.all()).map((key) => key.publicJwk) }));
    server.get('/.well-known/oauth-authorization-server', async () => this.authorizationServer());
    server.get('/.well-known/oauth-protected-resource', async () => this.protectedResource(''));
    server.get('/.well-known/oauth-protected-resource/v2/mcp', async () => this.protectedResource('/v2/mcp'));
    void server.register(async (scope) => {
      formParser(scope);
      scope.setErrorHandler(async (error, request, reply) => {
        if (!(error instanceof OAuthError)) throw error;
        return this.refuse(error, request, reply);
      });
      scope.addHook('onSend', async (_request, reply) => {
        reply.header('cache-control', 'no-store').header('pragma', 'no-cache');
      });
      scope.get('/oauth/authorize', async () => {
        throw new OAuthError(
          'unsupported_response_type',
          'There are no accounts of people to sign in to. Get a token with client_credentials, or use an API key.',
        );
      });
      scope.post('/oauth/token', async (request) => this.issue(request));
      scope.post('/oauth/revoke', async (request, reply) => {
        await this.revoke(request);
        return reply.code(200).send();
      });
    });
  }

  private async issue(request: FastifyRequest): Promise<object> {
    const form = (request.body ?? {}) as Form;
    const client = await this.client(request, form);
    if (form['grant_type'] === undefined) throw new OAuthError('invalid_request', 'grant_type is missing.');
    if (form['grant_type'] !== 'client_credentials') {
      throw new OAuthError('unsupported_grant_type', 'Only client_credentials is supported.');
    }
    const granted = tokenScopes(client.scopes, form['scope']);
    if (!granted)
      throw new OAuthError('invalid_scope', 'A scope is unknown or was not given to this client.');
    return {
      access_token: await this.tokens.issue(client, granted),
      token_type: 'Bearer',
      expires_in: accessTokenSeconds,
      scope: granted.join(' '),
    };
  }

  /** A token that is unknown, expired or another client's is no error: there is nothing left to take back. */
  private async revoke(request: FastifyRequest): Promise<void> {
    const form = (request.body ?? {}) as Form;
    const client = await this.client(request, form);
    if (typeof form['token'] !== 'string') throw new OAuthError('invalid_request', 'token is missing.');
    const token = await this.tokens.verify(form['token']);
    if (token?.clientId === client.id) await this.tokens.revoke(token);
  }

  private async client(request: FastifyRequest, form: Form): Promise<OAuthClientEntity> {
    const { authorization } = request.headers;
    const credentials = clientCredentials(authorization, form);
    if (credentials) {
      const { clientId, clientSecret } = credentials;
      const client = await this.failures.guard(request.ip, `${clientId}:${clientSecret}`, () =>
        this.clients.authenticate(clientId, clientSecret),
      );
      if (client) return client;
    }
    throw new OAuthError(
      'invalid_client',
      'The client is unknown or its secret is wrong.',
      authorization !== undefined,
    );
  }

  private refuse(error: OAuthError, _request: FastifyRequest, reply: FastifyReply): FastifyReply {
    if (error.challenge) reply.header('www-authenticate', 'Basic realm="oauth"');
    return reply.code(error.status).send({ error: error.code, error_description: error.message });
  }

  private authorizationServer(): object {
    const { PUBLIC_BASE_URL: base } = this.config;
    const methods = ['client_secret_basic', 'client_secret_post'];
    return {
      issuer: base,
      // No grant here uses it, but clients of MCP take no metadata without it.
      authorization_endpoint: `${base}/oauth/authorize`,
      token_endpoint: `${base}/oauth/token`,
      revocation_endpoint: `${base}/oauth/revoke`,
      jwks_uri: `${base}/oauth/jwks`,
      grant_types_supported: ['client_credentials'],
      response_types_supported: [],
      token_endpoint_auth_methods_supported: methods,
      revocation_endpoint_auth_methods_supported: methods,
      scopes_supported: scopes,
    };
  }

  private protectedResource(path: string): object {
    const { PUBLIC_BASE_URL: base } = this.config;
    return {
      resource: `${base}${path}`,
      authorization_servers: [base],
      scopes_supported: scopes,
      bearer_methods_supported: ['header'],
    };
  }
}
