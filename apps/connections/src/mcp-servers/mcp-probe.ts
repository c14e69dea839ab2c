import type { ConnectionHeaders, OperationResponse, probeMcpServer } from '@aos/contracts';
import type { Egress } from '@aos/egress';
import { McpClient, McpFailure } from '@aos/mcp-client';
import { Inject, Injectable } from '@nestjs/common';
import { ConnectionEgress } from '../config/connection-egress.js';

export type Probed = OperationResponse<typeof probeMcpServer>;

const unauthorized = 401;

const timeoutMs = 8_000;
const maxTools = 1_000;
const maxDescription = 2_000;

/** Asks a server for its tools with the official client. */
@Injectable()
export class McpProbe {
  constructor(@Inject(ConnectionEgress) private readonly egress: Egress) {}

  async probe(
    teamId: string,
    serverUrl: string,
    headers: Readonly<Record<string, string>>,
  ): Promise<{ readonly answer: Probed; readonly isUnauthorized: boolean }> {
    const signal = AbortSignal.timeout(timeoutMs);
    const fetch: typeof globalThis.fetch = async (input, init) => {
      const all = new Headers(init?.headers);
      for (const [name, value] of Object.entries(headers)) all.set(name, value);
      return this.egress.fetch(input, { ...init, headers: all });
    };
    let client: McpClient | undefined;
    try {
      client = await McpClient.connect({ url: serverUrl, teamId, fetch, timeoutMs, signal });
      const tools = await client.listTools(signal);
      const answer: Probed = { success: true, tools: tools.slice(0, maxTools).map(toTool) };
      return { answer, isUnauthorized: false };
    } catch (error) {
      if (!(error instanceof McpFailure)) throw error;
      const answer: Probed = { success: false, error: reasonOf(error) };
      return { answer, isUnauthorized: error.status === unauthorized };
    } finally {
      await client?.close();
    }
  }
}

export function allHeaders(
  headers: ConnectionHeaders | undefined,
  apiKey: string | undefined,
): Record<string, string> {
  const bearer: Record<string, string> = apiKey === undefined ? {} : { Authorization: `Bearer ${apiKey}` };
  return { ...headers?.plaintext, ...headers?.secret, ...bearer };
}

function toTool({ name, description = '' }: { name: string; description?: string }) {
  return { name, description: description.slice(0, maxDescription) };
}

/** Nothing that the server wrote is passed on: it may repeat what it was sent. */
function reasonOf({ kind, message }: McpFailure): string {
  if (kind === 'aborted' || kind === 'timeout') return 'The server did not answer in time.';
  return kind === 'rpc' ? 'The server does not list its tools.' : message;
}
