import type { GatewayInProcess, TeamAtGateway } from './gateway-in-process.js';

const revision = '2026-07-28';

/** A message as it goes over the wire, and the answer as it comes. */
export interface JsonRpc {
  readonly jsonrpc: '2.0';
  readonly id: number;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- read as JavaScript reads it
  readonly result?: any;
  readonly error?: { code: number; message: string; data?: unknown };
}

export interface PostOptions {
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly query?: string;
  readonly extensions?: Readonly<Record<string, object>>;
}

let lastId = 0;

/** A request of the 2025-11-25 revision and before. */
export function legacy(method: string, params: object = {}) {
  return { jsonrpc: '2.0' as const, id: (lastId += 1), method, params };
}

/** A request of the 2026-07-28 revision, and the headers that go with it. */
export function modern(method: string, params: Record<string, unknown> = {}, extensions: object = {}) {
  const name = params['name'] ?? params['taskId'];
  return {
    body: {
      ...legacy(method, {
        ...params,
        _meta: {
          ...(params['_meta'] as object | undefined),
          'io.modelcontextprotocol/protocolVersion': revision,
          'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
          'io.modelcontextprotocol/clientCapabilities': { extensions },
        },
      }),
    },
    headers: {
      'mcp-protocol-version': revision,
      'mcp-method': method,
      ...(typeof name === 'string' ? { 'mcp-name': name } : {}),
    },
  };
}

/** Speaks with the endpoint of a gateway, in both generations. */
export class McpAtGateway {
  constructor(
    private readonly gateway: Pick<GatewayInProcess, 'url'>,
    private readonly key: string,
  ) {}

  as(key: string): McpAtGateway {
    return new McpAtGateway(this.gateway, key);
  }

  post(body: unknown, { key = this.key, headers = {}, query = '' }: PostOptions = {}): Promise<Response> {
    return fetch(`${this.gateway.url}/v2/mcp${query}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  }

  async legacy(method: string, params: object = {}, options: PostOptions = {}): Promise<JsonRpc> {
    return (await (await this.post(legacy(method, params), options)).json()) as JsonRpc;
  }

  async modern(
    method: string,
    params: Record<string, unknown> = {},
    options: PostOptions = {},
  ): Promise<JsonRpc> {
    const { body, headers } = modern(method, params, options.extensions);
    const answer = await this.post(body, { ...options, headers: { ...headers, ...options.headers } });
    return (await answer.json()) as JsonRpc;
  }

  async names(options: PostOptions = {}): Promise<string[]> {
    const { result } = await this.legacy('tools/list', {}, options);
    return (result.tools as { name: string }[]).map(({ name }) => name);
  }
}

export async function keyWith(
  gateway: GatewayInProcess,
  team: TeamAtGateway,
  ...scopes: string[]
): Promise<string> {
  const { body } = await gateway.call<{ api_key: { key: string } }>(`/v2/teams/${team.id}/api-keys`, {
    key: team.key,
    body: { scopes },
  });
  return body.api_key.key;
}
