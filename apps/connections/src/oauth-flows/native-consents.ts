import { AppError, notFound, type OperationRequest, type startNativeOAuth } from '@aos/contracts';
import { Injectable } from '@nestjs/common';
import { ProviderEndpoints } from '../oauth-client/provider-endpoints.js';
import { clientOf, hasClient, Providers } from '../providers/providers.js';
import { failureAnswer } from './failure-answer.js';
import { FlowDrafts, union, type PreparedFlow } from './flow-drafts.js';

/** Consents with providers that are configured. */
@Injectable()
export class NativeConsents {
  constructor(
    private readonly providers: Providers,
    private readonly endpoints: ProviderEndpoints,
    private readonly drafts: FlowDrafts,
  ) {}

  /** Calls out, so it is called outside a transaction. */
  async prepare({ teamId, params, body }: OperationRequest<typeof startNativeOAuth>): Promise<PreparedFlow> {
    const provider = this.providers.find(params.provider);
    if (!provider) throw notFound('The provider');
    const returnUrl = this.drafts.allowedReturn(body.return_url);
    const mended = await this.drafts.mended(teamId, body);
    if (mended && (mended.type !== 'native' || mended.provider !== provider.name)) {
      throw new AppError('invalid_request', 'reconnect_connection_id: is a connection with another provider');
    }
    if (!hasClient(provider)) {
      throw new AppError('not_configured', `No client ID is configured for ${provider.name}.`);
    }
    const server = await this.endpoints.of(provider).catch(failureAnswer);
    const wanted = body.scopes ?? union(provider.scopes, mended?.oauth_scopes, mended?.required_scopes);
    const client = clientOf(provider);
    return this.drafts.prepare(teamId, mended, {
      connection: { type: 'native', provider: provider.name, name: body.name ?? provider.title },
      flow: {
        provider: provider.name,
        serverUrl: mended?.server_url ?? provider.apiBaseUrl,
        returnUrl,
        scopes: wanted,
        oauth: {
          server,
          client_id: client.client_id,
          client_auth: client.auth,
          redirect_uri: this.drafts.redirectUri(),
        },
      },
      scopeSeparator: provider.scopeSeparator,
      params: provider.authorizationParams,
    });
  }
}
