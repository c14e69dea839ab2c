import type { ConnectionHeaders, OperationResponse, probeMcpServer } from '@aos/contracts';
import { EgressError, type Egress } from '@aos/egress';
import {
  Client,
  SdkHttpError,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import { Inject, Injectable } from '@nestjs/common';
import { ConnectionEgress } from '../config/connection-egress.js';

type Probed = OperationResponse<typeof probeMcpServer>;

const timeoutMs = 8_000;
const maxTools = 1_000;
const maxDescription = 2_000;

/** Asks a server for its tools with the official client. */
@Injectable()
export class McpProbe {
  constructor(@Inject(ConnectionEgress) private readonly egress: Egress) {}

  async probe(serverUrl: string, headers: Readonly<Record<string, string>>): Promise<Probed> {
    const signal = AbortSignal.timeout(timeoutMs);
    // A stream that the server opens for news would be cut anyway, and the transport would open it again.
    const fetch: typeof globalThis.fetch = async (input, init) =>
      this.egress.fetch(input, { ...init, signal });
    const client = new Client({ name: 'agent-operations-service', version: '1' });
    const transport = new StreamableHTTPClientTransport(new URL(serverUrl), {
      fetch,
      requestInit: { headers: { ...headers } },
    });
    try {
      await client.connect(transport, { timeout: timeoutMs, signal });
      const { tools } = await client.listTools(undefined, { timeout: timeoutMs, signal });
      return { success: true, tools: tools.slice(0, maxTools).map(toTool) };
    } catch (error) {
      return { success: false, error: reasonOf(error, signal) };
    } finally {
      await client.close().catch(() => undefined);
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
function reasonOf(error: unknown, signal: AbortSignal): string {
  if (signal.aborted) return 'The server did not answer in time.';
  if (error instanceof EgressError) return error.message;
  if (error instanceof UnauthorizedError) return 'The server wants credentials (401).';
  if (error instanceof SdkHttpError) return `The server answered with HTTP ${error.status}.`;
  return 'The server does not speak MCP.';
}
