import type { Tool, ToolContext, ToolOutcome } from '@aos/agent-runtime';
import { McpClient, McpFailure, type McpTool, type McpToolCall, type McpToolResult } from '@aos/mcp-client';
import { outcomeOfFailure } from './call-failure.js';
import { cutText, type KeepFile, outcomeOfResult } from './mcp-result.js';
import type { SecretValues } from './secret-values.js';

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

  /** A request refused for an unknown session had no effect; it is repeated in a new session. */
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

const maxDescription = 10_000;
/** However much progress a server tells of. */
export const maxCallMs = 15 * 60_000;

export interface McpToolParts {
  readonly session: McpSession;
  /** Stores what is not a text file. */
  readonly keep: KeepFile;
  readonly secrets: SecretValues;
  /** Below which what it brings is kept. */
  readonly folder: string;
  readonly timeoutMs: number;
}

/** A tool of an MCP server as a tool of a run. Its arguments are the server's to judge. */
export function mcpTool(name: string, tool: McpTool, parts: McpToolParts): Tool {
  const { $schema: _dialect, ...parameters } = tool.inputSchema;
  const { readOnlyHint, idempotentHint } = tool.annotations ?? {};
  const isRepeatable = readOnlyHint === true || idempotentHint === true;
  const description = tool.description ?? tool.title ?? tool.annotations?.title ?? '';
  return {
    name,
    description: parts.secrets.hideIn(description.slice(0, maxDescription)),
    parameters,
    isInstant: false,
    isRepeatable: () => isRepeatable,
    execute: (args, run) => call({ tool: tool.name, args, run, isRepeatable }, parts),
  };
}

interface Call {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly run: ToolContext;
  readonly isRepeatable: boolean;
}

async function call(
  { tool, args, run, isRepeatable }: Call,
  { session, keep, secrets, folder, timeoutMs }: McpToolParts,
): Promise<ToolOutcome> {
  const { signal } = run;
  try {
    const maxTotalMs = Math.max(maxCallMs, timeoutMs);
    const result = await session.callTool({ name: tool, arguments: args, timeoutMs, maxTotalMs, signal });
    return await outcomeOfResult(secrets.hideWithin(result), (file) =>
      keep(run, folder, { ...file, bytes: secrets.hideInBytes(file.bytes) }),
    );
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof McpFailure)) throw error;
    const message = cutText(secrets.hideIn(error.message));
    return outcomeOfFailure(new McpFailure(error.kind, message, error.status), isRepeatable);
  }
}
