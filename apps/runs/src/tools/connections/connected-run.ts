import { retrying, type Tool } from '@aos/agent-runtime';
import { McpFailure, type McpTool } from '@aos/mcp-client';
import { Logger } from '@aos/platform';
import { RunRefused } from '../../run-core/starts/new-run.js';
import { mayPass, unavailable } from './call-failure.js';
import type { ConnectionCredentials } from './connection-credentials.js';
import type { McpSession } from './mcp-tools.js';
import { nativeToolName } from './native-tools.js';
import { slugOf, toolNames, type WantedName } from './tool-names.js';

/** One connection of a run: with a session where it is an MCP server, without where it is a provider's API. */
export interface RunConnection {
  readonly credentials: ConnectionCredentials;
  readonly session?: McpSession;
  readonly toTool: (name: string, tool: McpTool | undefined) => Tool;
}

interface ConnectedRunParts {
  readonly runId: string;
  readonly connections: readonly RunConnection[];
  readonly logger: Logger;
  /** Aborted when the run leaves the process. */
  readonly signal: AbortSignal;
}

/** The connections of a run that this process works on: their tools, as long as it does. */
export class ConnectedRun {
  /** As each server listed them last. */
  private readonly listed = new Map<RunConnection, readonly McpTool[]>();

  constructor(private readonly parts: ConnectedRunParts) {}

  /** The tools of all of them. Throws `RunRefused` if one cannot tell, however often it is asked. */
  async begin(): Promise<Tool[]> {
    const { connections, signal } = this.parts;
    const isTransient = (error: unknown) => error instanceof McpFailure && mayPass(error);
    await Promise.all(
      connections.map((connection) =>
        retrying(() => this.list(connection), { isTransient, signal }).catch((error: unknown) => {
          signal.throwIfAborted();
          if (!(error instanceof McpFailure)) throw error;
          throw new RunRefused(unavailable(reasonOf(connection, error)));
        }),
      ),
    );
    return this.tools();
  }

  /**
   * The tools if they may be others than before, else undefined. A server that does not list them now keeps those that
   * it had. Throws `RunRefused` if a connection was lost.
   */
  async changed(): Promise<Tool[] | undefined> {
    const { connections, signal, logger, runId } = this.parts;
    const lost = connections.find(({ credentials }) => credentials.lost)?.credentials.lost;
    if (lost) throw new RunRefused(unavailable(lost.message));
    const stale = connections.filter(({ session }) => session?.isStale);
    if (stale.length === 0) return undefined;
    await Promise.all(
      stale.map((connection) =>
        this.list(connection).catch((error: unknown) => {
          signal.throwIfAborted();
          if (!(error instanceof McpFailure)) throw error;
          const { id } = connection.credentials.connection;
          logger.warn(
            { run_id: runId, connection_id: id, kind: error.kind },
            'changed tools could not be listed',
          );
        }),
      ),
    );
    return this.tools();
  }

  async close(): Promise<void> {
    await Promise.all(this.parts.connections.map(({ session }) => session?.close()));
  }

  private async list(connection: RunConnection): Promise<void> {
    const { session } = connection;
    if (session) this.listed.set(connection, await session.listTools(this.parts.signal));
  }

  private tools(): Tool[] {
    const { connections } = this.parts;
    const tools = connections.map((connection) =>
      connection.session ? (this.listed.get(connection) ?? []) : [undefined],
    );
    const wanted = connections.map((connection, index): WantedName[] => {
      const slug = slugOf(connection.credentials.connection.name);
      return tools[index]!.map((tool) => ({ slug, tool: tool?.name ?? nativeToolName }));
    });
    const names = toolNames(wanted);
    return connections.flatMap(({ toTool }, index) =>
      tools[index]!.map((tool, number) => toTool(names[index]![number]!, tool)),
    );
  }
}

/** Nothing that the server wrote. */
function reasonOf({ credentials: { connection, lost } }: RunConnection, failure: McpFailure): string {
  if (lost) return lost.message;
  const why = failure.kind === 'rpc' ? 'The server does not list its tools.' : failure.message;
  return `The connection "${connection.name}" cannot be used: ${why}`;
}
