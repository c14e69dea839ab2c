import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { NodeStreamableHTTPServerTransport } from '@modelcontextprotocol/node';
import type { CallToolResult, Server, ServerContext, Tool } from '@modelcontextprotocol/server';

/** A tool, and what it does. */
export interface TestTool extends Partial<Tool> {
  readonly name: string;
  readonly call: (
    args: Record<string, unknown>,
    context: ServerContext,
  ) => CallToolResult | Promise<CallToolResult>;
}

export interface McpServerOptions {
  /** `legacy`: 2025-11-25 and before, with sessions and nothing newer. */
  readonly generation?: 'legacy' | 'modern';
  /** How many tools there are on a page of their list. */
  readonly pageSize?: number;
}

/** A request as it came. */
export interface McpRequestSeen {
  /** Of JSON-RPC, where the message is a request. */
  readonly id?: string | number;
  /** Of JSON-RPC; of HTTP where there is no message. */
  readonly method: string;
  readonly params: Record<string, unknown>;
  readonly headers: IncomingHttpHeaders;
}

export interface TestMcpServer {
  readonly url: string;
  readonly seen: readonly McpRequestSeen[];
  /** The requests of a method. */
  of(method: string): McpRequestSeen[];
  /** What it has from now on; those who listen are told. */
  setTools(...tools: TestTool[]): void;
  /** Answers a request in its own way if it gives true. */
  intercept: ((request: McpRequestSeen, response: ServerResponse) => boolean) | undefined;
  /** As after a restart. */
  forgetSessions(): void;
  close(): Promise<void>;
}

const emptySchema = { type: 'object', properties: {} } as const;

/** An MCP server on the official SDK, of either generation of the protocol, whose tools may change. */
export async function startMcpServer(
  { generation = 'modern', pageSize = 100 }: McpServerOptions,
  ...tools: TestTool[]
): Promise<TestMcpServer> {
  const { Server: McpServer, createMcpHandler } = await import('@modelcontextprotocol/server');
  const { NodeStreamableHTTPServerTransport: Transport, toNodeHandler } =
    await import('@modelcontextprotocol/node');
  const seen: McpRequestSeen[] = [];
  const sessions = new Map<string, { transport: NodeStreamableHTTPServerTransport; server: Server }>();
  let present = tools;

  const make = (): Server => {
    const capabilities = { tools: { listChanged: true } };
    const server = new McpServer({ name: 'test', version: '1.0.0' }, { capabilities });
    server.setRequestHandler('tools/list', ({ params }) => {
      const start = Number(params?.cursor ?? 0);
      const page = present.slice(start, start + pageSize);
      const next = start + pageSize < present.length ? { nextCursor: String(start + pageSize) } : {};
      return {
        tools: page.map(({ call: _call, ...tool }) => ({ inputSchema: emptySchema, ...tool })),
        ...next,
      };
    });
    server.setRequestHandler('tools/call', ({ params }, context) => {
      const tool = present.find(({ name }) => name === params.name);
      if (!tool) throw new Error(`No tool ${params.name}`);
      return tool.call(params.arguments ?? {}, context);
    });
    return server;
  };
  const modern = createMcpHandler(make);
  const modernHandler = toNodeHandler(modern);

  async function serveLegacy(
    request: IncomingMessage,
    response: ServerResponse,
    body: unknown,
  ): Promise<void> {
    const id = request.headers['mcp-session-id'] as string | undefined;
    if (id !== undefined && !sessions.has(id)) return void response.writeHead(404).end();
    const session = id === undefined ? undefined : sessions.get(id);
    if (session) return session.transport.handleRequest(request, response, body);
    const server = make();
    const transport = new Transport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (made) => void sessions.set(made, { transport, server }),
    });
    await server.connect(transport);
    return transport.handleRequest(request, response, body);
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString('utf8');
    const body =
      text === '' ? undefined : (JSON.parse(text) as { id?: number; method?: string; params?: object });
    const one: McpRequestSeen = {
      id: body?.id,
      method: body?.method ?? request.method ?? '',
      params: { ...body?.params },
      headers: request.headers,
    };
    seen.push(one);
    if (running.intercept?.(one, response)) return;
    await (generation === 'modern'
      ? modernHandler(request, response, body)
      : serveLegacy(request, response, body));
  }

  const server = createServer((request, response) => {
    // A client that goes away in the middle is no fault of the test.
    serve(request, response).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const running: TestMcpServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    seen,
    of: (method) => seen.filter((request) => request.method === method),
    setTools: (...next) => {
      present = next;
      modern.notify.toolsChanged();
      for (const session of sessions.values()) void session.server.sendToolListChanged();
    },
    intercept: undefined,
    forgetSessions: () => sessions.clear(),
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      await modern.close();
      server.closeAllConnections();
      await closed;
    },
  };
  return running;
}
