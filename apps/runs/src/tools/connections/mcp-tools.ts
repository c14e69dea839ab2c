import type { Tool, ToolContext, ToolOutcome } from '@aos/agent-runtime';
import { McpFailure, type McpTool } from '@aos/mcp-client';
import { outcomeOfFailure } from './call-failure.js';
import { cutText, outcomeOfResult } from './mcp-result.js';
import type { McpSession } from './mcp-session.js';
import type { KeepFile } from './result-files.js';
import type { SecretValues } from './secret-values.js';

const maxDescription = 10_000;
/** However much progress a server tells of. */
export const longestCallMs = 15 * 60_000;

export interface McpToolParts {
  readonly session: McpSession;
  /** Stores what is no text. */
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
    const longestMs = Math.max(longestCallMs, timeoutMs);
    const result = await session.callTool({ name: tool, arguments: args, timeoutMs, longestMs, signal });
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
