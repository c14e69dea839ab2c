import { AppError } from '@aos/contracts';
import { isHostOf } from '@aos/egress';
import { Transactions } from '@aos/persistence';
import { Injectable } from '@nestjs/common';
import { ConnectionTokens } from '../connections/connection-tokens.js';
import type { ConnectionEntity } from '../connections/connection.entity.js';
import { isSharedClient } from '../oauth-client/authorization-server.js';
import { OAuthCalls } from '../oauth-client/oauth-calls.js';
import { OAuthFailure } from '../oauth-client/oauth-failure.js';
import { isPlainText } from '../oauth-client/plain-text.js';
import type { Tokens } from '../oauth-client/token-answer.js';
import type { ConfiguredProvider } from '../providers/provider.js';
import { Providers } from '../providers/providers.js';
import type { BrowserAnswer, Redirected } from './browser-answer.js';
import { ConsentConfirmation } from './consent-confirmation.js';
import { OAuthFlowsRepository, type Flow } from './oauth-flows.repository.js';
import { returnAddress } from './return-url.js';

/** Ends consents. */
@Injectable()
export class FlowEnds {
  constructor(
    private readonly flows: OAuthFlowsRepository,
    private readonly calls: OAuthCalls,
    private readonly tokens: ConnectionTokens,
    private readonly providers: Providers,
    private readonly transactions: Transactions,
    private readonly confirmation: ConsentConfirmation,
  ) {}

  /** A client that took the redirect itself; its team must be the one that began. Gives what is to be written. */
  async finalize(teamId: string, redirected: Redirected): Promise<() => Promise<ConnectionEntity>> {
    const flow = await this.take(redirected.state, teamId);
    const tokens = await this.exchange(flow, redirected, isSharedClient(flow.oauth)).catch(refusedCode);
    return () => this.store(flow, tokens);
  }

  /** The browser itself. With an address to return to, that one hears of a failure too. */
  async fromBrowser(redirected: Redirected): Promise<BrowserAnswer> {
    const question = await this.confirmation.questionFor(redirected);
    if (question) return question;
    const flow = await this.take(redirected.state, null);
    const { connectionId, returnUrl } = flow;
    try {
      const tokens = await this.exchange(flow, redirected, true);
      const { name } = await this.transactions.run(() => this.store(flow, tokens));
      const location = returnUrl && returnAddress(returnUrl, { connectionId, status: 'active' });
      return { location, title: 'Connected', message: `${name} is connected. You can close this window.` };
    } catch (error) {
      if (!(error instanceof OAuthFailure) || returnUrl === null) return refusedCode(error);
      const code = error.code ?? (error.kind === 'away' ? 'temporarily_unavailable' : 'invalid_response');
      const end = { connectionId, status: 'error', error: code };
      return { location: returnAddress(returnUrl, end), title: 'Not connected', message: error.message };
    }
  }

  private async take(state: string, teamId: string | null): Promise<Flow> {
    const flow = await this.flows.take(state, teamId);
    if (flow) return flow;
    throw new AppError(
      'invalid_request',
      'state: is unknown, was already used, or is older than ten minutes',
    );
  }

  private async exchange(flow: Flow, redirected: Redirected, needsIssuer: boolean): Promise<Tokens> {
    const { oauth, verifier } = flow;
    if ((redirected.redirect_uri ?? oauth.redirect_uri) !== oauth.redirect_uri) {
      throw new OAuthFailure(
        'invalid',
        'The browser came back to another address than this consent was asked with; its code may be of another authorization server.',
      );
    }
    const provider = this.providerOf(flow);
    // Without a known issuer the name in the answer proves nothing.
    const checksIssuer = provider === undefined || provider.issuer !== undefined;
    const params = new URLSearchParams({ state: redirected.state });
    if (redirected.code !== undefined) params.set('code', redirected.code);
    if (redirected.error !== undefined) params.set('error', redirected.error);
    if (redirected.iss !== undefined && checksIssuer) params.set('iss', redirected.iss);
    const sendsIssuer = oauth.server.authorization_response_iss_parameter_supported && needsIssuer;
    return this.calls.exchange({
      server: { ...oauth.server, authorization_response_iss_parameter_supported: sendsIssuer },
      client: {
        client_id: oauth.client_id,
        auth: oauth.client_auth,
        secret: provider ? provider.clientSecret : flow.clientSecret,
      },
      params,
      state: redirected.state,
      verifier,
      redirectUri: oauth.redirect_uri,
      resource: oauth.resource,
    });
  }

  private async store(flow: Flow, tokens: Tokens): Promise<ConnectionEntity> {
    const provider = this.providerOf(flow);
    const row = await this.tokens.consented(flow.teamId, flow.connectionId, {
      tokens,
      oauth: flow.oauth,
      clientSecret: flow.clientSecret,
      scopes: flow.scopes,
      serverUrl: provider ? apiBaseUrl(provider, flow, tokens) : flow.serverUrl,
    });
    if (row) return row;
    throw new AppError('invalid_request', 'state: the connection was deleted');
  }

  private providerOf({ provider: name, oauth }: Flow): ConfiguredProvider | undefined {
    return name === null ? undefined : this.providers.configured(name, oauth.client_auth);
  }
}

/** Some providers tell with the token where their API is; it must be one of their own hosts. */
function apiBaseUrl(
  { apiBaseUrlField: field, apiHosts }: ConfiguredProvider,
  flow: Flow,
  { fields }: Tokens,
): string {
  const told = field === undefined ? undefined : fields[field];
  if (!isPlainText(told) || !URL.canParse(told)) return flow.serverUrl;
  const { protocol, hostname } = new URL(told);
  return protocol === 'https:' && isHostOf(apiHosts, hostname) ? told : flow.serverUrl;
}

function refusedCode(error: unknown): never {
  if (!(error instanceof OAuthFailure)) throw error;
  if (error.kind === 'away') throw new AppError('unavailable', error.message);
  throw new AppError('invalid_request', `code: ${error.message}`);
}
