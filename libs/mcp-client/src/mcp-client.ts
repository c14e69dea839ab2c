import { setTimeout as delay } from 'node:timers/promises';
import {
  Client,
  SdkHttpError,
  type CallToolResult,
  type FetchLike,
  type jsonSchemaValidator,
  type Tool,
  type ListToolsResult,
} from '@modelcontextprotocol/client';
import { AnswerGuard } from './answer-guard.js';
import { McpFailure, toMcpFailure } from './mcp-failure.js';
import { McpTransport } from './mcp-transport.js';

export interface McpClientOptions {
  readonly url: string;
  /** The team for which the server is asked. */
  readonly teamId: string;
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
  readonly maxTotalMs: number;
  readonly signal: AbortSignal;
}

interface ListCall {
  readonly method: string;
  readonly params?: { readonly cursor?: string };
}

const maxTools = 1_000;
const maxSchemaBytes = 32 * 1024;

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
    private readonly guard: AnswerGuard,
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
    stopPagingTools(client);
    const tellsOfTools = () =>
      onToolsChanged !== undefined && client.getServerCapabilities()?.tools?.listChanged;
    const guard = new AnswerGuard(options.fetch, options.teamId);
    const fetch: FetchLike = async (input, init) =>
      opensNotifications(init) && !tellsOfTools()
        ? new Response(null, { status: 405 })
        : guard.fetch(input, init);
    const transport = new McpTransport(new URL(url), { fetch, onInsufficientScope: 'throw' });
    try {
      await client.connect(transport, { timeout: timeoutMs, signal });
    } catch (error) {
      await client.close().catch(() => undefined);
      throw error;
    }
    return new McpClient(client, transport, guard, timeoutMs);
  }

  /** Lists the first tools of all pages, within limits of bytes and time. Tools whose schemas are too large are left out. */
  async listTools(signal: AbortSignal): Promise<Tool[]> {
    const late = AbortSignal.timeout(this.timeoutMs);
    try {
      return await this.guard.limitList(async (tooLong) => {
        const ends = AbortSignal.any([signal, late, tooLong]);
        const options = { timeout: this.timeoutMs, signal: ends, cacheMode: 'refresh' } as const;
        const { tools } = await this.client.listTools(undefined, options);
        return tools.filter(hasSmallSchemas).slice(0, maxTools);
      });
    } catch (error) {
      if (late.aborted && !signal.aborted)
        throw new McpFailure('timeout', 'The server did not list its tools in time.');
      throw this.failureOf(error, signal);
    }
  }

  /** One at a time. */
  async callTool({ name, timeoutMs, maxTotalMs, signal, ...call }: McpToolCall): Promise<CallToolResult> {
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
          maxTotalTimeout: maxTotalMs,
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

/** Requests no further page once `maxTools` are listed: a hostile server has pages without end. */
function stopPagingTools(client: Client): void {
  const request = client.request.bind(client) as (call: ListCall, ...rest: unknown[]) => Promise<unknown>;
  let listed = 0;
  const limited = async (call: ListCall, ...rest: unknown[]): Promise<unknown> => {
    const result = await request(call, ...rest);
    if (call.method !== 'tools/list') return result;
    const page = result as ListToolsResult;
    listed = page.tools.length + (call.params?.cursor === undefined ? 0 : listed);
    if (listed >= maxTools) delete page.nextCursor;
    return page;
  };
  client.request = limited as Client['request'];
}

/** The model reads the schema of each tool. Depth is limited for whole answers. */
function hasSmallSchemas({ inputSchema, outputSchema }: Tool): boolean {
  return [inputSchema, outputSchema].every(
    (schema) => Buffer.byteLength(JSON.stringify(schema ?? {})) <= maxSchemaBytes,
  );
}

function toConnectFailure(error: unknown, { signal }: McpClientOptions): McpFailure {
  if (signal.aborted) return new McpFailure('aborted', 'The call was given up.');
  return toMcpFailure(error, { hasSession: false });
}

/** The stream on which a server speaks unasked; not one that is taken up again where it broke off. */
function opensNotifications(init: RequestInit | undefined): boolean {
  return init?.method === 'GET' && !new Headers(init.headers).has('last-event-id');
}
