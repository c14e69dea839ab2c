import { setTimeout as delay } from 'node:timers/promises';
import {
  Client,
  SdkHttpError,
  type CallToolResult,
  type FetchLike,
  type jsonSchemaValidator,
  type Tool,
} from '@modelcontextprotocol/client';
import { McpFailure, toMcpFailure } from './mcp-failure.js';
import { McpTransport } from './mcp-transport.js';

export interface McpClientOptions {
  readonly url: string;
  /** A guarded one, which adds what authenticates. */
  readonly fetch: FetchLike;
  /** Of connecting, and of reading the list of tools. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** The server says that its tools are others now. */
  readonly onToolsChanged?: () => void;
}

export interface McpToolCall {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  /** Without a word of the server; its notifications of progress begin it anew. */
  readonly timeoutMs: number;
  /** Whatever the server says of its progress. */
  readonly longestMs: number;
  readonly signal: AbortSignal;
}

/** What is left to be said at the end is given this long. */
const partingMs = 1_000;

const notModern: readonly number[] = [500, 501];

/**
 * Results are not checked against what the server has declared of them: the check runs in this thread, and patterns that
 * the server chose can take it hours. Whoever uses a result takes it for what it is.
 */
const anyResult: jsonSchemaValidator = {
  getValidator: () => (input) => ({ valid: true, data: input as never, errorMessage: undefined }),
};

/** A server that tools are taken from. Throws `McpFailure` only. */
export class McpClient {
  private constructor(
    private readonly client: Client,
    private readonly transport: McpTransport,
    private readonly timeoutMs: number,
  ) {}

  static async connect(options: McpClientOptions): Promise<McpClient> {
    try {
      return await McpClient.connectAs('auto', options);
    } catch (error) {
      // A server that falls over a question it has never heard may know the older one.
      if (!(error instanceof SdkHttpError) || !notModern.includes(error.status))
        throw toConnectFailure(error, options);
    }
    try {
      return await McpClient.connectAs('legacy', options);
    } catch (error) {
      throw toConnectFailure(error, options);
    }
  }

  private static async connectAs(mode: 'auto' | 'legacy', options: McpClientOptions): Promise<McpClient> {
    const { url, timeoutMs, signal, onToolsChanged } = options;
    const onChanged = () => onToolsChanged?.();
    const client = new Client(
      { name: 'agent-operations-service', version: '1' },
      {
        versionNegotiation: { mode },
        jsonSchemaValidator: anyResult,
        ...(onToolsChanged
          ? { listChanged: { tools: { autoRefresh: false, debounceMs: 0, onChanged } } }
          : {}),
      },
    );
    const tellsOfTools = () =>
      onToolsChanged !== undefined && client.getServerCapabilities()?.tools?.listChanged;
    const fetch: FetchLike = async (input, init) =>
      opensNotifications(init) && !tellsOfTools()
        ? new Response(null, { status: 405 })
        : options.fetch(input, init);
    const transport = new McpTransport(new URL(url), { fetch, onInsufficientScope: 'throw' });
    try {
      await client.connect(transport, { timeout: timeoutMs, signal });
    } catch (error) {
      await client.close().catch(() => undefined);
      throw error;
    }
    return new McpClient(client, transport, timeoutMs);
  }

  /** All pages. */
  async listTools(signal: AbortSignal): Promise<Tool[]> {
    try {
      const options = { timeout: this.timeoutMs, signal, cacheMode: 'refresh' } as const;
      return (await this.client.listTools(undefined, options)).tools;
    } catch (error) {
      throw this.failureOf(error, signal);
    }
  }

  /** One at a time. */
  async callTool({ name, timeoutMs, longestMs, signal, ...call }: McpToolCall): Promise<CallToolResult> {
    const ended = new AbortController();
    this.transport.onRequestEnd = (method) => {
      // An answer that came with the end is dealt with first.
      if (method === 'tools/call') setImmediate(() => ended.abort());
    };
    try {
      return await this.client.callTool(
        { name, arguments: { ...call.arguments } },
        {
          signal: AbortSignal.any([signal, ended.signal]),
          timeout: timeoutMs,
          maxTotalTimeout: longestMs,
          resetTimeoutOnProgress: true,
          onprogress: () => undefined,
        },
      );
    } catch (error) {
      if (ended.signal.aborted && !signal.aborted) {
        throw new McpFailure('broken', 'The connection broke off before the answer was complete.');
      }
      throw this.failureOf(error, signal);
    } finally {
      this.transport.onRequestEnd = undefined;
    }
  }

  /** Sends what is left to be said, ends the session, and drops the connections. Never throws. */
  async close(): Promise<void> {
    const over = new AbortController();
    try {
      await Promise.race([this.part(), delay(partingMs, undefined, { signal: over.signal })]);
    } finally {
      over.abort();
      await this.client.close().catch(() => undefined);
    }
  }

  private async part(): Promise<void> {
    await this.transport.notified();
    await this.transport.terminateSession().catch(() => undefined);
  }

  private failureOf(error: unknown, signal: AbortSignal): McpFailure {
    if (signal.aborted) return new McpFailure('aborted', 'The call was given up.');
    return toMcpFailure(error, { hasSession: this.transport.sessionId !== undefined });
  }
}

function toConnectFailure(error: unknown, { signal }: McpClientOptions): McpFailure {
  if (signal.aborted) return new McpFailure('aborted', 'The call was given up.');
  return toMcpFailure(error, { hasSession: false });
}

/** The stream on which a server speaks unasked; not one that is taken up again where it broke off. */
function opensNotifications(init: RequestInit | undefined): boolean {
  return init?.method === 'GET' && !new Headers(init.headers).has('last-event-id');
}
