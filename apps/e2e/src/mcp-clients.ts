import {
  Client,
  StreamableHTTPClientTransport,
  type AuthProvider,
  type OAuthClientProvider,
} from '@modelcontextprotocol/client';

export const generations = ['2025-11-25', '2026-07-28'] as const;

export type Generation = (typeof generations)[number];

const revision = '2026-07-28';
const clientInfo = { name: 'end-to-end tests', version: '1.0.0' };

export interface McpClientOptions {
  readonly generation?: Generation;
  readonly key?: string;
  readonly authProvider?: AuthProvider | OAuthClientProvider;
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The official client, connected to the endpoint of a gateway. */
export async function connectMcp(baseUrl: string, options: McpClientOptions): Promise<Client> {
  const { generation = revision, key, authProvider, query = '', headers } = options;
  const client = new Client(clientInfo, {
    versionNegotiation: { mode: generation === revision ? { pin: revision } : 'legacy' },
  });
  const transport = new StreamableHTTPClientTransport(new URL(`${baseUrl}/v2/mcp${query}`), {
    authProvider,
    fetch: fetchHere,
    requestInit: {
      headers: { ...headers, ...(key === undefined ? {} : { authorization: `Bearer ${key}` }) },
    },
  });
  await client.connect(transport);
  return client;
}

/** Jest gives tests objects of their own; what is parsed outside would be no plain object to them. */
async function fetchHere(url: string | URL, init?: RequestInit): Promise<Response> {
  const response = await fetch(url, init);
  if (!response.headers.get('content-type')?.startsWith('application/json')) return response;
  const text = await response.text();
  return Object.assign(new Response(text, response), { json: async () => JSON.parse(text) as unknown });
}

/** What a message of the 2026-07-28 revision carries, from a client that takes tasks. */
export const framing = {
  protocolVersion: revision,
  clientInfo,
  clientCapabilities: { elicitation: {}, extensions: { 'io.modelcontextprotocol/tasks': {} } },
};

export interface RpcAnswer {
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- read as JavaScript reads it
  readonly result?: any;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

/** One message past the client, which takes no tasks yet. */
export async function sendMessage(
  baseUrl: string,
  key: string,
  message: { readonly method: string; readonly params: Readonly<Record<string, unknown>> },
  options: { readonly query?: string; readonly headers?: Readonly<Record<string, string>> } = {},
): Promise<RpcAnswer> {
  const name = message.params['taskId'] ?? message.params['name'];
  const answer = await fetch(`${baseUrl}/v2/mcp${options.query ?? ''}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': revision,
      'mcp-method': message.method,
      ...(typeof name === 'string' ? { 'mcp-name': name } : {}),
      ...options.headers,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...message }),
  });
  return JSON.parse(await answer.text()) as RpcAnswer;
}

/** The same, framed as a client frames it that takes tasks. */
export function sendAsTaskClient(
  baseUrl: string,
  key: string,
  method: string,
  params: Readonly<Record<string, unknown>>,
  options: { readonly query?: string; readonly headers?: Readonly<Record<string, string>> } = {},
): Promise<RpcAnswer> {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': framing.protocolVersion,
    'io.modelcontextprotocol/clientInfo': framing.clientInfo,
    'io.modelcontextprotocol/clientCapabilities': framing.clientCapabilities,
  };
  return sendMessage(baseUrl, key, { method, params: { ...params, _meta } }, options);
}
