import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';
import type { IntrospectedToken, TestAuthorizationServer } from './authorization-server.js';

export interface ProtectedMcpServer {
  readonly url: string;
  /** The Authorization of each request that came to the MCP endpoint. */
  readonly authorizations: readonly (string | undefined)[];
  /** Those of them that it takes no more, as if they had been revoked. */
  readonly revoked: Set<string | undefined>;
  /** Told of each call of its tool. */
  onEcho: ((text: string) => void) | undefined;
  /** Where it says that it is described; by default at its own origin. */
  resourceMetadataUrl: string;
  close(): Promise<void>;
}

const scope = 'mcp:tools';

/** An MCP server on the official SDK, with one tool, that takes only tokens which were made for it (RFC 9728, 8707). */
export async function startProtectedMcpServer(
  authorization: Pick<TestAuthorizationServer, 'issuer' | 'introspect'>,
): Promise<ProtectedMcpServer> {
  const { McpServer, createMcpHandler } = await import('@modelcontextprotocol/server');
  const { toNodeHandler } = await import('@modelcontextprotocol/node');
  const handler = toNodeHandler(
    createMcpHandler(() => {
      const mcp = new McpServer({ name: 'protected', version: '1.0.0' });
      const config = { description: 'Says it again', inputSchema: z.object({ text: z.string() }) };
      mcp.registerTool('echo', config, ({ text }) => {
        running.onEcho?.(text);
        return { content: [{ type: 'text', text }] };
      });
      return mcp;
    }),
  );
  const authorizations: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    if (request.url?.startsWith('/.well-known/oauth-protected-resource')) {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(
        JSON.stringify({
          resource: running.url,
          authorization_servers: [authorization.issuer],
          scopes_supported: [scope],
        }),
      );
      return;
    }
    if (request.url !== '/mcp') return void response.writeHead(404).end();
    authorizations.push(request.headers.authorization);
    void introspected(request, authorization).then((token) => {
      const isRevoked = running.revoked.has(request.headers.authorization);
      if (!isRevoked && isGood(token, running.url)) return handler(request, response);
      const challenge = `Bearer resource_metadata="${running.resourceMetadataUrl}", scope="${scope}"`;
      request.resume();
      response.writeHead(401, { 'www-authenticate': challenge }).end();
      return undefined;
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const running: ProtectedMcpServer = {
    url: `${origin}/mcp`,
    authorizations,
    revoked: new Set(),
    onEcho: undefined,
    resourceMetadataUrl: `${origin}/.well-known/oauth-protected-resource/mcp`,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
  return running;
}

async function introspected(
  { headers }: IncomingMessage,
  { introspect }: Pick<TestAuthorizationServer, 'introspect'>,
): Promise<IntrospectedToken | undefined> {
  const [, token] = /^Bearer (.+)$/.exec(headers.authorization ?? '') ?? [];
  return token === undefined ? undefined : introspect(token);
}

function isGood(token: IntrospectedToken | undefined, url: string): boolean {
  return (
    token !== undefined && token.scope.split(' ').includes(scope) && [token.audience].flat().includes(url)
  );
}
