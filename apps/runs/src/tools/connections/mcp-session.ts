import { McpClient, McpFailure, type McpTool, type McpToolCall, type McpToolResult } from '@aos/mcp-client';

export interface McpSessionOptions {
  readonly url: string;
  readonly teamId: string;
  readonly fetch: typeof globalThis.fetch;
}

const listTimeoutMs = 8_000;

/** One MCP server in the hands of one run: connected when it is first needed, and again when it has forgotten us. */
export class McpSession {
  private client: McpClient | undefined;
  private closed = false;
  /** Whether the server's tools may be others than those that were listed last. */
  isStale = true;

  constructor(private readonly options: McpSessionOptions) {}

  async listTools(signal: AbortSignal): Promise<McpTool[]> {
    return this.withClient(signal, async (client) => {
      this.isStale = false;
      try {
        return (await client.listTools(signal)).filter(isCallable);
      } catch (error) {
        this.isStale = true;
        throw error;
      }
    });
  }

  callTool(call: McpToolCall): Promise<McpToolResult> {
    return this.withClient(call.signal, (client) => client.callTool(call));
  }

  async close(): Promise<void> {
    this.closed = true;
    await this.client?.close();
  }

  /** What a server refuses because it does not know our session has had no effect: it is said again in a new one. */
  private async withClient<T>(signal: AbortSignal, work: (client: McpClient) => Promise<T>): Promise<T> {
    if (this.closed) throw new McpFailure('aborted', 'The run has left.');
    const client = (this.client ??= await this.connect(signal));
    try {
      return await work(client);
    } catch (error) {
      if (!(error instanceof McpFailure) || error.kind !== 'session' || this.closed) throw error;
    }
    this.client = undefined;
    await client.close();
    this.isStale = true;
    return work((this.client = await this.connect(signal)));
  }

  private async connect(signal: AbortSignal): Promise<McpClient> {
    const client = await McpClient.connect({
      ...this.options,
      timeoutMs: listTimeoutMs,
      signal,
      onToolsChanged: () => void (this.isStale = true),
    });
    if (this.closed) await client.close();
    return client;
  }
}

/** Some can be called as tasks only, which runs do not. */
function isCallable({ execution }: McpTool): boolean {
  return execution?.taskSupport !== 'required';
}
