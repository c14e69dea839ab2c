import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Configuration, KoaContextWithOIDC } from 'oidc-provider';
import { consentInBrowser } from './browser-consent.js';

/** What the token endpoint does from now on. `lose`: it does its work, and the answer never arrives. */
export type TokenEndpointMood = 'answer' | 'unavailable' | 'lose' | 'hang';

export interface AuthorizationServerOptions {
  /** Of the client that is known beforehand. */
  readonly redirectUri: string;
  readonly accessTokenSeconds?: number;
  /** Beside `openid` and `offline_access`. */
  readonly scopes?: readonly string[];
  /** How it gets the documents that clients are known by; without it, it takes no such clients. */
  readonly readDocument?: (url: string) => Promise<unknown>;
  /** False: it neither says nor announces who it is in its answers (RFC 9207). */
  readonly namesIssuer?: boolean;
}

/** A token, as the server that it is for sees it. */
export interface IntrospectedToken {
  readonly scope: string;
  readonly audience: string | readonly string[] | undefined;
}

export interface TestAuthorizationServer {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** The grant types that were answered with tokens, in order. */
  readonly granted: readonly string[];
  /** Clients that were registered. */
  registrations(): number;
  /** Requests to the token endpoint, whatever came of them. */
  tokenRequests(): number;
  mood: TokenEndpointMood;
  /** Called once, with the next request to the token endpoint, before it is answered. */
  onNextTokenRequest: (() => void) | undefined;
  /** Where a hostile one sends a browser that was to consent. */
  forward: ((authorizationUrl: URL) => URL) | undefined;
  /** Consents as a person does with a browser; gives the address that the browser is sent back to. */
  consent(authorizationUrl: string): Promise<URL>;
  introspect(accessToken: string): Promise<IntrospectedToken | undefined>;
  /** Every person takes the consent back. */
  revokeAll(): Promise<void>;
  close(): Promise<void>;
}

/** A real OpenID provider on loopback: PKCE, rotation of refresh tokens, registration, resource indicators. */
export async function startAuthorizationServer(
  options: AuthorizationServerOptions,
): Promise<TestAuthorizationServer> {
  const granted: string[] = [];
  const grantIds = new Set<string>();
  let tokenRequests = 0;
  let registrations = 0;
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = { id: 'test-client', secret: 'the-secret-of-the-test-client-itself' };
  keepQuiet();
  // Loaded here: specs that need no such server do not pay for it.
  const { default: Provider } = await import('oidc-provider');
  const provider = new Provider(issuer, configurationOf(options, client));
  provider.on('grant.success', ({ oidc }: KoaContextWithOIDC) => {
    granted.push(String(oidc.params?.['grant_type']));
    if (oidc.entities.AccessToken?.grantId) grantIds.add(oidc.entities.AccessToken.grantId);
  });
  provider.use(async (context, next) => {
    if (running.forward && context.path === '/auth') {
      return context.redirect(running.forward(new URL(context.url, issuer)).href);
    }
    await next();
    if (options.namesIssuer === false) hideIssuer(context);
  });
  const callback = provider.callback();
  const running: TestAuthorizationServer = {
    issuer,
    clientId: client.id,
    clientSecret: client.secret,
    granted,
    tokenRequests: () => tokenRequests,
    registrations: () => registrations,
    mood: 'answer',
    onNextTokenRequest: undefined,
    forward: undefined,
    consent: (url) => consentInBrowser(url, issuer),
    introspect: async (value) => {
      const token = await provider.AccessToken.find(value);
      return token && { scope: token.scope ?? '', audience: token.aud };
    },
    revokeAll: async () => {
      for (const id of grantIds) await (await provider.Grant.find(id))?.destroy();
    },
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (request.url === '/reg') registrations += 1;
    if (request.url === '/token') {
      tokenRequests += 1;
      running.onNextTokenRequest?.();
      running.onNextTokenRequest = undefined;
      if (running.mood === 'hang') return;
      if (running.mood === 'unavailable') return void response.writeHead(503).end('away');
      if (running.mood === 'lose') response.end = () => response.destroy();
    }
    void callback(request, response);
  });
  return running;
}

/** The library always names it. */
function hideIssuer(context: Pick<KoaContextWithOIDC, 'response' | 'set' | 'body'>): void {
  const location = context.response.get('location');
  if (URL.canParse(location)) {
    const url = new URL(location);
    url.searchParams.delete('iss');
    context.set('location', url.href);
  }
  const body: unknown = context.body;
  if (typeof body === 'object' && body !== null && 'issuer' in body) {
    context.body = { ...body, authorization_response_iss_parameter_supported: undefined };
  }
}

/** It warns of everything that is fit for tests only. */
function keepQuiet(): void {
  for (const level of ['info', 'warn'] as const) {
    const write = console[level].bind(console);
    console[level] = (...texts: unknown[]) => {
      if (!String(texts[0]).includes('oidc-provider')) write(...texts);
    };
  }
}

function configurationOf(
  { redirectUri, accessTokenSeconds = 3600, scopes = [], readDocument }: AuthorizationServerOptions,
  client: { readonly id: string; readonly secret: string },
): Configuration {
  return {
    clients: [
      {
        client_id: client.id,
        client_secret: client.secret,
        redirect_uris: [redirectUri],
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        token_endpoint_auth_method: 'client_secret_basic',
      },
    ],
    scopes: ['openid', 'offline_access', ...scopes],
    cookies: { keys: ['a key of a test'] },
    pkce: { required: () => true },
    rotateRefreshToken: true,
    ttl: {
      AccessToken: accessTokenSeconds,
      Grant: 3600,
      Interaction: 600,
      Session: 3600,
      RefreshToken: 3600,
    },
    // It fetches nothing but these documents.
    fetch: async (url) => Response.json(await readDocument?.(String(url))),
    features: {
      registration: { enabled: true },
      clientIdMetadataDocument: { enabled: readDocument !== undefined, ack: 'draft-02' },
      revocation: { enabled: true },
      resourceIndicators: {
        enabled: true,
        useGrantedResource: () => true,
        getResourceServerInfo: (_context, resource) => ({
          scope: scopes.join(' '),
          audience: resource,
          accessTokenFormat: 'opaque',
          accessTokenTTL: accessTokenSeconds,
        }),
      },
    },
  };
}
