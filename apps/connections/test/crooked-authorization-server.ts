import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What an endpoint answers: an object is JSON, a text is a page. */
export interface CrookedAnswer {
  readonly status: number;
  readonly challenge?: string;
  readonly body?: object | string;
}

export interface CrookedAuthorizationServer {
  readonly issuer: string;
  /** What it says of itself in other words than it should. */
  metadata: object;
  /** The same of `/mcp`, as if an MCP server were there. */
  resource: object;
  register: CrookedAnswer;
  token: CrookedAnswer;
  revoke: CrookedAnswer;
  /** Who has asked for tokens with a secret, as `id:secret`. */
  readonly clients: string[];
  /** Back to answers as they should be. */
  behave(): void;
  close(): Promise<void>;
}

const good = {
  metadata: {},
  resource: {},
  register: { status: 201, body: { client_id: 'registered' } },
  token: {
    status: 200,
    body: { access_token: 'access', refresh_token: 'refresh', token_type: 'Bearer', expires_in: 3600 },
  },
  revoke: { status: 200 },
} as const;

/** An authorization server that gives tokens for any code, and answers what no real one can be made to answer. */
export async function startCrookedAuthorizationServer(): Promise<CrookedAuthorizationServer> {
  const server = createServer((request, response) => {
    const { status, challenge, body = '' } = answerTo(request.url);
    const basic = /^Basic (.+)$/.exec(request.headers.authorization ?? '')?.[1];
    if (basic !== undefined)
      running.clients.push(decodeURIComponent(Buffer.from(basic, 'base64').toString()));
    request.resume();
    response.writeHead(status, {
      'content-type': typeof body === 'string' ? 'text/html' : 'application/json',
      ...(challenge === undefined ? {} : { 'www-authenticate': challenge }),
    });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const running: CrookedAuthorizationServer = {
    issuer,
    ...good,
    clients: [],
    behave: () => void Object.assign(running, good),
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };

  function answerTo(path = ''): CrookedAnswer {
    if (path === '/register') return running.register;
    if (path === '/token') return running.token;
    if (path === '/revoke') return running.revoke;
    if (path === '/.well-known/oauth-authorization-server') {
      return { status: 200, body: { ...metadata, ...running.metadata } };
    }
    if (path === '/.well-known/oauth-protected-resource/mcp') {
      return { status: 200, body: { ...resource, ...running.resource } };
    }
    return { status: 404 };
  }

  const resource = { resource: `${issuer}/mcp`, authorization_servers: [issuer], scopes_supported: ['read'] };
  const metadata = {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    registration_endpoint: `${issuer}/register`,
    revocation_endpoint: `${issuer}/revoke`,
    response_types_supported: ['code'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['none', 'client_secret_basic'],
  };
  return running;
}
